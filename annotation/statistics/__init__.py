"""Statistics of agreement, on numbers only. Modules with numpy are imported late."""
