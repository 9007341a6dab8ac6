"""A project's People page: its members, and the invitations to it."""
