"""What admins of the site see."""
