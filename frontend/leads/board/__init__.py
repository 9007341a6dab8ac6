"""The board of a project: where it stands, what needs a lead, and how it goes."""
