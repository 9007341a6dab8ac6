"""Views for admins of the site."""
