"""A git-native, file-based task store for people and coding agents."""

__version__ = "0.1.0"
