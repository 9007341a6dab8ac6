"""Who does what next: queues, tasks, assignments, leases."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """The app config."""

    name = "tasks"

    def ready(self) -> None:
        """Fill the engine's hooks."""
        from tasks.engine import hooks
        from tasks.pairs import leaving

        hooks.listen(hooks.leaving, leaving.recorded)
