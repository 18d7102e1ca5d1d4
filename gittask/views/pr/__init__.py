"""What a reviewer sees in a pull request: its tasks, why they exist, and what is known of them."""
