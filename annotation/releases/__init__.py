"""Releases: choose the members, freeze them, write the files, rebuild them (`releases.build(...)` makes one)."""

from annotation.releases.building import build, folder_of, format_of, manifest_of

__all__ = ["build", "folder_of", "format_of", "manifest_of"]
