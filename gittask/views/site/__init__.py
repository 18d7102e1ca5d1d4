"""The store as pages for a browser."""
