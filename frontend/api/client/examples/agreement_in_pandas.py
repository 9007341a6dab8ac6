"""Read the agreement of a project into a data frame, in a notebook or here: python agreement_in_pandas.py PROJECT."""

from __future__ import annotations

import os
import sys

import pandas as pd
from goldfinch_client import Goldfinch


def agreement_of(slug: str) -> pd.DataFrame:
    """A row for each number of each measure, with its interval; no row until something has been measured."""
    project = Goldfinch(os.environ["GOLDFINCH_SITE"], os.environ["GOLDFINCH_TOKEN"]).project(slug)
    found = project.get("agreement/")["agreement"]
    measures = found["measures"] if found else []
    return pd.json_normalize(measures, record_path="numbers", meta=["key", "title"], meta_prefix="measure_")


if __name__ == "__main__":
    print(agreement_of(sys.argv[1]).to_string())
