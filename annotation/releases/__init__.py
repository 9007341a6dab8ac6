"""Releases: choose the members, freeze them, write the files, rebuild them (`releases.build(...)` makes one)."""

from annotation.releases.building import build, files_in, folder_of, manifest_of
from annotation.releases.recipes import format_of, formats_of

__all__ = ["build", "files_in", "folder_of", "format_of", "formats_of", "manifest_of"]
