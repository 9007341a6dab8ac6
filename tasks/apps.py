"""Who does what next: queues, tasks, assignments, leases."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """The app config."""

    name = "tasks"
