"""points: how many points a rung is worth, from a table that the instructor edits: TO/points.tsv. TO/decisions.tsv has the
points of single programs about which the instructor has decided.

The first run with an exercise writes its rows: 10 points for the last required rung, and the share that is reached for
those below it. Rungs that are a bonus give no more, until the instructor changes that: then the maximum may change, too.
Points are no part of a check: a new table needs no new checks.
"""

from __future__ import annotations

import math
import os
import re
from typing import Dict, List, Optional, Tuple

from edited import BadTable, add_rows, newest_said, read_edited, rows
from ladder import Ladder
from readers import printable
from store import write_whole

# The first lines of decisions.tsv.
DECIDED = (
    "# Your points for single programs: write them at the end of a row, after a tab, and run make class again.\n"
    "# You may add rows for other programs: a decision counts more than a rung. A student is called as in grades.csv.\n"
    "student\texercise\tpoints\n"
)
MAXIMUM = -1  # instead of a rung: the row with the maximum
UNDECIDED = -2  # and the row that says how much of its points an undecided rung has, from 0 to 1
WORDS = {"of": MAXIMUM, "undecided": UNDECIDED}
FULL = 10  # points of the last required rung in the table that is written first


class Points:
    def __init__(self, path: str, ladders: List[Ladder]):
        if not os.path.exists(path):
            write_whole(path, first_table(ladders))
        path = newest_said(path)
        self.of: Dict[Tuple[str, int], float] = read_table(path)
        new = [ladder for ladder in ladders if all(exercise != ladder.exercise for exercise, _ in self.of)]
        if new:
            add_rows(path, read_edited(path), [row.split("\t") for row in rows_of(new)])
            self.of = read_table(path)
        self.ladders = {ladder.exercise: ladder for ladder in ladders}
        for ladder in ladders:
            for rung in range(ladder.last + 1):
                if (ladder.exercise, rung) not in self.of:
                    raise BadTable(f"{path}: there is no row for rung {rung} of {ladder.exercise}")

    def at(self, exercise: str, rung: int, perhaps: Optional[int] = None) -> float:
        """`perhaps`: the rung that is reached if a GPU confirms what the model cannot decide."""
        last = self.ladders[exercise].last
        sure, most = (self.of[exercise, min(one, last)] for one in (rung, max(rung, perhaps or 0)))
        return sure + (most - sure) * self.of.get((exercise, UNDECIDED), 0)

    def most(self, exercise: str) -> float:
        """The maximum: what the table says after the word "of", or its largest points."""
        largest = max(points for (name, rung), points in self.of.items() if name == exercise and rung >= 0)
        return self.of.get((exercise, MAXIMUM), largest)


def first_table(ladders: List[Ladder]) -> str:
    rows = [
        "# What a program has in all when it reaches a rung, not what the rung adds. The row `of` has the maximum.",
        "# Of what a rung adds that only a GPU can decide, the row `undecided` gives a part: 0 nothing, 0.5 half, 1 all.",
        "# The last required rung has all points. Those above it are a bonus: they give no more, unless you change it.",
        "# Change the points, and run make class again: nothing is checked twice.",
        "exercise\trung\tpoints",
    ]
    return "\n".join(rows + rows_of(ladders)) + "\n"


def rows_of(ladders: List[Ladder]) -> List[str]:
    rows = []
    for ladder in ladders:
        for rung in range(ladder.last + 1):
            rows.append(f"{ladder.exercise}\t{rung}\t{number(FULL * min(rung, ladder.required) / ladder.required)}")
        rows += [f"{ladder.exercise}\tundecided\t0", f"{ladder.exercise}\tof\t{FULL}"]
    return rows


def read_table(path: str) -> Dict[Tuple[str, int], float]:
    table = {}
    for count, cells in rows(read_edited(path), "exercise", "\t; "):
        try:
            exercise, rung, points = cells
            table[exercise, WORDS[rung] if rung in WORDS else int(rung)] = points_of(points)
            if rung == "undecided" and table[exercise, UNDECIDED] > 1:
                raise ValueError
        except ValueError:
            raise BadTable(
                f"{path}, line {count}: it has to be an exercise, a rung and points, 0 or more; after undecided, at most 1"
            ) from None
    return table


def points_of(text: str) -> float:
    """Points as people write them: 8, 9.5, or 9,5. Raises ValueError for anything else."""
    value = float(text.strip().replace(",", "."))
    if not math.isfinite(value) or value < 0:
        raise ValueError
    return value


def decisions(path: str, open_ones: List[Tuple[str, str]]) -> Dict[Tuple[str, str], float]:
    """The points that the instructor has written down for a student and an exercise. Of `open_ones`, those without a row
    get one, without points: then the instructor only has to fill it in. The first run writes the file in any case."""
    if not os.path.exists(path):
        write_whole(path, DECIDED)
    path = newest_said(path)
    text = read_edited(path)
    known = read_decisions(path, text)
    new = [
        [student, exercise, ""]
        for student, exercise in open_ones
        if not any(exercise == one and is_like(written, student) for written, one in known)
    ]
    if new:
        add_rows(path, text, new)
    return {key: points for key, points in known.items() if points is not None}


def is_like(written: str, student: str) -> bool:
    """True for a student's name as a spreadsheet may have written it: with ? for letters that its alphabet lacks."""
    return re.fullmatch(re.escape(written).replace(r"\?", "."), student) is not None


def read_decisions(path: str, text: str) -> Dict[Tuple[str, str], Optional[float]]:
    """The rows of decisions.tsv; None in the place of points that are not there yet."""
    known: Dict[Tuple[str, str], Optional[float]] = {}
    for count, cells in rows(text, "student"):
        try:
            student, exercise, points = cells + [""] * (len(cells) == 2)
            known[student, exercise] = points_of(points) if points else None
        except ValueError:
            raise BadTable(
                f"{path}, line {count}: it has to be a student, an exercise and points, 0 or more, with tabs;"
                f" it is {printable(', '.join(cells))[:100]}"
            ) from None
    return known


def number(value: float) -> str:
    """A number as people write it: 8, 6.67."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rounded(value: float) -> str:
    """A rate with four digits that count, never as 1e+04."""
    return number(float(f"{value:.4g}"))
