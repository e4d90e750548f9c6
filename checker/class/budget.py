"""budget: what reading one student's submission may cost: bytes, files, and seconds.

It is counted while something is read, in the same way for folders, zip files, tar files and git clones. Whoever is over it
gets one line, and the next student follows. No limit here is near what a student hands in who means well: a clone of the
whole lab has 3000 files and 30 MB.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Iterator, Optional, Tuple

UNPACKED_BYTES_MAX = 128 << 20  # all that is read, packed files as they are when unpacked: gzip packs zeros 1000 to 1
KEPT_BYTES_MAX = 16 << 20  # all programs and files that may be one: they stay in memory until all are read
ENTRIES_MAX = 20000  # files and folders
PROCESSOR_SECONDS_MAX = int(
    os.environ.get("WARPUP_READ_SECONDS", 20)
)  # of this process and of git, so that a busy machine is nobody's fault
CLOCK_SECONDS_MAX = 300  # so that a file that never answers stops only its student
LOOK_SECONDS = 1.0  # between two looks at the time, while something is read


class TooLarge(Exception):
    """A submission over its budget; the text says in what."""


class Budget:
    """What is left for one student. After the first TooLarge, everything is too large."""

    def __init__(self) -> None:
        self.unpacked, self.kept, self.entries = UNPACKED_BYTES_MAX, KEPT_BYTES_MAX, ENTRIES_MAX
        self.spent: Tuple[float, float] = (0.0, 0.0)
        self.since: Optional[Tuple[float, float]] = None  # the beginning of what is read now

    def entry(self) -> None:
        self.entries -= 1
        if self.entries < 0:
            raise TooLarge(f"it has more than {ENTRIES_MAX} files")
        self.in_time()

    def read(self, count: int) -> None:
        self.unpacked -= count
        if self.unpacked < 0:
            raise TooLarge(f"it unpacks to more than {UNPACKED_BYTES_MAX >> 20} MB")

    def keep(self, data: bytes) -> bytes:
        self.kept -= len(data)
        if self.kept < 0:
            raise TooLarge(f"its programs have more than {KEPT_BYTES_MAX >> 20} MB")
        return data

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Only within such blocks, which may be nested, the time counts. Also a read that never returns ends there, in
        TooLarge."""
        if self.since is not None:
            yield
            return
        self.since = used()
        before = signal.signal(signal.SIGALRM, lambda *_: self.in_time())
        signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            self.spent, self.since = self.spent_now(), None

    def spent_now(self) -> Tuple[float, float]:
        now, since = used(), self.since or used()
        return self.spent[0] + now[0] - since[0], self.spent[1] + now[1] - since[1]

    def in_time(self) -> None:
        for spent, most, what in zip(
            self.spent_now(), (PROCESSOR_SECONDS_MAX, CLOCK_SECONDS_MAX), (" of processor time", "")
        ):
            if spent > most:
                raise TooLarge(f"reading it takes more than {most} s{what}")


def used() -> Tuple[float, float]:
    """Seconds of processor time of this process and of those that it has waited for, and seconds on the clock."""
    times = os.times()
    return sum(times[:4]), time.monotonic()
