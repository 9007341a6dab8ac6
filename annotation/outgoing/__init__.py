"""Calls to other hosts: only to those that admins have allowed, and never into the network of the site itself."""
