"""ladder: what class needs to know of an exercise's ladder.tsv: its rungs, and the floors of their rates."""

from __future__ import annotations

import os
from typing import Dict, List, Tuple


class Ladder:
    """`required` is the last rung that counts as done, `last` the highest one. `floors` has, per criterion that asks for a
    share of the limit, its rung and this share. `starter` is the text of the program that students begin with."""

    def __init__(self, top: str, exercise: str):
        self.exercise, self.required, self.last = exercise, 0, 0
        self.floors: Dict[str, Tuple[int, float]] = {}
        with open(os.path.join(top, exercise, "checker", "ladder.tsv"), encoding="utf-8") as file:
            rows: List[List[str]] = [line.rstrip("\n").split("\t") for line in file]
        for row in rows:
            if row[0] == "#required":
                self.required = int(row[1])
            elif row[0].isdigit():
                self.last = max(self.last, int(row[0]))
                if row[2] == "share":
                    self.floors[row[1]] = (int(row[0]), float(row[4]))
        self.required = self.required or self.last
        with open(os.path.join(top, exercise, "checker", "starter.cu"), encoding="utf-8") as file:
            self.starter = file.read()


def exercises_of(top: str) -> List[str]:
    """The names of all complete exercises."""
    return sorted(name for name in os.listdir(top) if os.path.isfile(os.path.join(top, name, "checker", "ladder.tsv")))
