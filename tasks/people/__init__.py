"""The people of a project: what leads and they write to each other, and how a membership ends or changes."""
