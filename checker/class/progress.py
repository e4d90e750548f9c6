"""progress: how far a class is: a bar with the time left on a terminal, one line per check elsewhere. Both on stderr."""

from __future__ import annotations

import os
import sys
import time
from typing import Optional

BAR = 24  # letters


class Progress:
    def __init__(self, total: int, done: int):
        self.total, self.before, self.count, self.failed = total, done, done, 0
        self.began = time.monotonic()
        plain = os.environ.get("TERM") == "dumb" or os.environ.get("WARPUP_PLAIN", "0") != "0"
        self.terminal = sys.stderr.isatty() and not plain
        if done and done < total:
            print(f"{done} of {total} checks are done already", file=sys.stderr)
        self.show()

    def done(self, task, reason: Optional[str]) -> None:
        """One more check has ended; the reason says why it could not be done."""
        self.count += 1
        self.failed += reason is not None
        if self.terminal:
            self.show()
        else:
            what = f"could not be checked: {reason}" if reason else "checked"
            print(f"{self.count} of {self.total}: {task.student}, {task.exercise}: {what}", file=sys.stderr, flush=True)

    def show(self) -> None:
        if not self.terminal or self.total == self.before:
            return
        full = BAR * self.count // max(self.total, 1)
        line = f"checks [{'#' * full}{'.' * (BAR - full)}] {self.count} of {self.total}{self.left()}"
        print(f"\r\033[K{line[:78]}", end="", file=sys.stderr, flush=True)

    def left(self) -> str:
        """The time left, if the checks go on at this speed."""
        now = self.count - self.before
        if now == 0:
            return ""
        seconds = (time.monotonic() - self.began) / now * (self.total - self.count)
        if seconds < 90:
            return f", about {seconds:.0f} s left"
        if seconds < 5400:
            return f", about {seconds / 60:.0f} min left"
        return f", about {seconds / 3600:.1f} h left"

    def end(self) -> None:
        if self.terminal and self.total > self.before:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
