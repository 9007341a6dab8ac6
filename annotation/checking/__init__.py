"""What `manage.py check_protocol` does: bots work through a protocol's items in memory, and what is wrong is named."""
