"""Who does what next: queues, tasks, assignments, leases."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """The app config."""

    name = "tasks"

    def ready(self) -> None:
        """Fill the engine's hooks."""
        from tasks.engine import skip_and_return
        from tasks.pairs import leaving

        skip_and_return.listen(skip_and_return.leaving, leaving.recorded)
