"""What candidates see of courses: where they stand, items as they are shown, exams and their results."""
