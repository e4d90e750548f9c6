"""points: how many points a rung is worth, from a table that the instructor edits: TO/points.tsv. TO/decisions.tsv has the
points of single programs about which the instructor has decided.

The first run with an exercise writes its rows: 10 points for the last required rung, and the share that is reached for
those below it. Rungs that are a bonus give no more, until the instructor changes that: then the maximum may change, too.
Points are no part of a check: a new table needs no new checks.
"""

from __future__ import annotations

import os
from typing import Dict, List, Tuple

from ladder import Ladder
from store import write_whole

DECIDED = "student\texercise\tpoints\n"  # the heading of decisions.tsv
MAXIMUM = -1  # instead of a rung: the row with the maximum
FULL = 10  # points of the last required rung in the table that is written first


class BadTable(Exception):
    """A table that cannot be used; its text says where and why."""


class Points:
    def __init__(self, path: str, ladders: List[Ladder]):
        if not os.path.exists(path):
            write_whole(path, first_table(ladders))
        self.of: Dict[Tuple[str, int], float] = read_table(path)
        new = [ladder for ladder in ladders if all(exercise != ladder.exercise for exercise, _ in self.of)]
        if new:
            with open(path, encoding="utf-8") as file:
                write_whole(path, file.read().rstrip("\n") + "\n" + "\n".join(rows_of(new)) + "\n")
            self.of = read_table(path)
        self.ladders = {ladder.exercise: ladder for ladder in ladders}
        for ladder in ladders:
            for rung in range(ladder.last + 1):
                if (ladder.exercise, rung) not in self.of:
                    raise BadTable(f"{path}: there is no row for rung {rung} of {ladder.exercise}")

    def at(self, exercise: str, rung: int) -> float:
        return self.of[exercise, min(rung, self.ladders[exercise].last)]

    def most(self, exercise: str) -> float:
        """The maximum: what the table says after the word "of", or its largest points."""
        largest = max(points for (name, _), points in self.of.items() if name == exercise)
        return self.of.get((exercise, MAXIMUM), largest)


def first_table(ladders: List[Ladder]) -> str:
    rows = [
        "# What a program has in all when it reaches a rung, not what the rung adds. The row `of` has the maximum.",
        "# Change the points, and run make class again: nothing is checked twice.",
        "exercise\trung\tpoints",
    ]
    return "\n".join(rows + rows_of(ladders)) + "\n"


def rows_of(ladders: List[Ladder]) -> List[str]:
    rows = []
    for ladder in ladders:
        for rung in range(ladder.last + 1):
            rows.append(f"{ladder.exercise}\t{rung}\t{number(FULL * min(rung, ladder.required) / ladder.required)}")
        rows.append(f"{ladder.exercise}\tof\t{FULL}")
    return rows


def read_table(path: str) -> Dict[Tuple[str, int], float]:
    table = {}
    with open(path, encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            cells = line.split()
            if not cells or line.startswith("#") or cells[0] == "exercise":
                continue
            try:
                exercise, rung, points = cells
                table[exercise, MAXIMUM if rung == "of" else int(rung)] = float(points)
            except ValueError:
                raise BadTable(f"{path}, line {count}: it has to be an exercise, a rung and points") from None
    return table


def decisions(path: str, open_ones: bool) -> Dict[Tuple[str, str], float]:
    """The points that the instructor has written down for a student and an exercise. If there is something to decide, the
    first run writes a table for it."""
    if not os.path.exists(path):
        if open_ones:
            write_whole(
                path,
                "# Your points for single programs. Separate the cells by tabs, and run make class again.\n" + DECIDED,
            )
        return {}
    table = {}
    with open(path, encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            cells = line.rstrip("\r\n").split("\t")
            if not line.strip() or line.startswith("#") or cells[0] == "student":
                continue
            try:
                student, exercise, points = cells
                table[student, exercise] = float(points)
            except ValueError:
                raise BadTable(
                    f"{path}, line {count}: it has to be a student, an exercise and points, with tabs"
                ) from None
    return table


def number(value: float) -> str:
    """A number as people write it: 8, 6.67."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rounded(value: float) -> str:
    """A rate with four digits that count, never as 1e+04."""
    return number(float(f"{value:.4g}"))
