"""Making a repository ready, and taking that back."""
