"""What leads see of a project's study on Prolific."""
