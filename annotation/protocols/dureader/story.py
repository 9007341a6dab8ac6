STORY = ()
CONFIG: dict = {}
LEAST_AGREEMENT: dict = {}
