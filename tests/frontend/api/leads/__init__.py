"""What a lead's script does."""
