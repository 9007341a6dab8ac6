"""The items of a project as its leads see them: the list, and the history of one."""
