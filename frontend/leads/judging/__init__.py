"""What leads see of judging rounds."""
