"""What admins see of the site as a whole."""
