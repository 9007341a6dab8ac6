"""What leads send and are told."""
