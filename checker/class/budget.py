"""budget: what reading one student's submission may cost: bytes, files, and seconds.

It is counted while something is read, in the same way for folders, zip files, tar files and git clones. Whoever is over it
gets one line, and the next student follows. No limit here is near what a student hands in who means well: a clone of the
whole lab has 3000 files and 30 MB.
"""

from __future__ import annotations

import contextlib
import signal
import time
from typing import Iterator

UNPACKED_BYTES_MAX = 128 << 20  # all that is read, packed files as they are when unpacked: gzip packs zeros 1000 to 1
KEPT_BYTES_MAX = 16 << 20  # all programs and files that may be one: they stay in memory until all are read
ENTRIES_MAX = 20000  # files and folders
SECONDS_MAX = 30  # on the clock, so that a file that never answers stops only its student


class TooLarge(Exception):
    """A submission over its budget; the text says in what."""


class Budget:
    """What is left for one student. After the first TooLarge, everything is too large."""

    def __init__(self) -> None:
        self.unpacked, self.kept, self.entries = UNPACKED_BYTES_MAX, KEPT_BYTES_MAX, ENTRIES_MAX
        self.until = time.monotonic() + SECONDS_MAX

    def entry(self) -> None:
        self.entries -= 1
        if self.entries < 0:
            raise TooLarge(f"it has more than {ENTRIES_MAX} files")
        self.seconds()

    def read(self, count: int) -> None:
        self.unpacked -= count
        if self.unpacked < 0:
            raise TooLarge(f"it unpacks to more than {UNPACKED_BYTES_MAX >> 20} MB")

    def keep(self, data: bytes) -> bytes:
        self.kept -= len(data)
        if self.kept < 0:
            raise TooLarge(f"its programs have more than {KEPT_BYTES_MAX >> 20} MB")
        return data

    def seconds(self) -> float:
        """How long reading may still take."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TooLarge(f"reading it takes more than {SECONDS_MAX} s")
        return left

    @contextlib.contextmanager
    def alarm(self) -> Iterator[None]:
        """Within this block, also a read that never returns ends in TooLarge."""

        def ring(*_: object) -> None:
            raise TooLarge(f"reading it takes more than {SECONDS_MAX} s")

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds())
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
