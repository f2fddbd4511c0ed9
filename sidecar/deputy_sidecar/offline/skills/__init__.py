"""The chores that can be done without a model, one file each."""

from __future__ import annotations

from deputy_sidecar.offline.skills import (
    collect_lines,
    disk_usage,
    duplicates,
    find_files,
    largest_files,
    overview,
    read_file,
    run_command,
    search_text,
    tidy_up,
)
from deputy_sidecar.offline.skills.skill import Skill

__all__ = ["SKILLS", "Skill"]

SKILLS: tuple[Skill, ...] = (
    overview.SKILL,
    overview.REPORT_SKILL,
    find_files.SKILL,
    largest_files.SKILL,
    search_text.SKILL,
    read_file.SKILL,
    duplicates.SKILL,
    collect_lines.SKILL,
    run_command.SKILL,
    disk_usage.SKILL,
    tidy_up.SKILL,
)
