"""notes: the small files that the checks of a class leave for its board, read again and again.

Anybody may write into this directory, and it may be slow. So only names that a check gives are looked at, links and
what is not a file are not followed, a file has a largest size, and all that is read is checked before it counts. Threads
read many files at the same time, and whoever asks gets what is known by then.
"""

from __future__ import annotations

import json
import os
import re
import stat
import threading
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

NAME = re.compile(r"([0-9a-f]{16})-([A-Za-z0-9_]{1,100})\.json")
BYTES_MAX = 4096  # a check writes some 200
FILES_MAX = 5000  # of 200 students with 4 exercises, 800; more are somebody's mischief
SHARE_MAX = 2  # of the limit; the fastest programs of the lab reach 1.5
LETTERS_MAX = 30  # of a student's name
LONG_SECONDS = 10 * 24 * 3600  # nobody is stuck for longer
THREADS = 16  # a slow file system answers many questions at the same time as fast as one
PASS_SECONDS = 2  # between two looks at all files


@dataclass
class Note:
    """What the latest check of a student's program said. `reached` is the highest rung so far, `since` how many seconds
    before the check it was reached, and `when` the file's time."""

    student: str
    label: str
    exercise: str
    status: str
    rung: int
    reached: int
    attempts: int
    since: float
    diagnosis: str
    guesses: Dict[int, float]  # of a rung, before it was reached (make predict)
    shares: Dict[str, float]  # of the limit, the best one measured and the best one modelled; none without a name
    when: float


class Notes:
    """All notes in a folder. `exercises` has the last rung of each exercise, `diagnoses` the names that a judge uses."""

    def __init__(self, folder: str, exercises: Dict[str, int], diagnoses: set):
        self.folder, self.exercises, self.diagnoses = folder, exercises, diagnoses
        self.known: Dict[str, Note] = {}
        self.damaged, self.left_out, self.failure = 0, 0, ""
        self.answered = 0.0  # when all files were read the last time
        self.pool = ThreadPoolExecutor(THREADS)

    def keep_reading(self) -> None:
        """Starts to read in the background. A process that wants to end has to do so by os._exit."""
        threading.Thread(target=self.read_for_ever, daemon=True).start()

    def read_for_ever(self) -> None:
        while True:
            self.read_all()
            time.sleep(PASS_SECONDS)

    def read_all(self) -> None:
        """Looks at every file once."""
        try:
            names = sorted(name for name in os.listdir(self.folder) if NAME.fullmatch(name))
            self.failure = ""
        except OSError as error:
            self.failure = error.strerror or "it cannot be read"
            return
        self.left_out, names = max(0, len(names) - FILES_MAX), names[:FILES_MAX]
        self.damaged = sum(self.pool.map(self.is_damaged, names))
        for name in set(self.known) - set(names):
            del self.known[name]
        self.answered = time.time()

    def is_damaged(self, name: str) -> bool:
        """Reads one file. If it holds no note, the one before it under this name does not count any more."""
        note = self.read(name)
        if note:
            self.known[name] = note
        else:
            self.known.pop(name, None)
        return note is None

    def read(self, name: str) -> Optional[Note]:
        try:
            file = os.open(os.path.join(self.folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode) or about.st_size > BYTES_MAX:
                return None
            value = json.loads(os.read(file, BYTES_MAX).decode("utf-8"))
            return self.note(name, value, min(about.st_mtime, time.time()))
        except (OSError, ValueError, RecursionError):
            return None
        finally:
            os.close(file)

    def note(self, name: str, value: Any, when: float) -> Optional[Note]:
        """A note of what a file holds, if all of it is possible."""
        student, exercise = NAME.fullmatch(name).groups()
        if exercise not in self.exercises or not isinstance(value, dict) or value.get("exercise") != exercise:
            return None
        last = self.exercises[exercise]
        rung, reached = whole(value.get("rung"), last), whole(value.get("reached"), last)
        since, attempts = whole(value.get("since"), LONG_SECONDS), whole(value.get("attempts"), 10**6)
        if None in (rung, reached, since, attempts) or not isinstance(value.get("status"), str):
            return None
        diagnosis = value.get("diagnosis")
        known = diagnosis if isinstance(diagnosis, str) and diagnosis in self.diagnoses else ""
        label = readable(value.get("name")) or f"student {student[:4]}"
        guesses = guesses_in(value.get("guesses"), last)
        shares = shares_in(value.get("shares")) if readable(value.get("name")) else {}
        return Note(
            student, label, exercise, value["status"], rung, reached, attempts, since, known, guesses, shares, when
        )

    def all(self) -> List[Note]:
        """What is known now."""
        return sorted(list(self.known.values()), key=lambda note: (note.student, note.exercise))


def whole(value: Any, most: int) -> Optional[int]:
    return min(value, most) if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def shares_in(value: Any) -> Dict[str, float]:
    shares = value if isinstance(value, dict) else {}
    known = {how: shares.get(how) for how in ("measured", "modelled")}
    return {how: share for how, share in known.items() if type(share) in (int, float) and 0 < share < SHARE_MAX}


def guesses_in(value: Any, last: int) -> Dict[int, float]:
    """What a student expects of each rung: a number above 0 that a page has room for."""
    pairs = value.items() if isinstance(value, dict) else ()
    kinds = (int, float)
    return {
        int(rung): float(guess)
        for rung, guess in pairs
        if re.fullmatch(r"[1-9]\d?", rung) and int(rung) <= last and type(guess) in kinds and 1e-6 < guess < 1e9
    }


def readable(value: Any) -> str:
    """A name in one line, without what is invisible, turns the text around, or grows out of its line."""
    if not isinstance(value, str):
        return ""
    letters = [letter if letter.isprintable() else " " for letter in unicodedata.normalize("NFC", value)]
    marks = [unicodedata.combining(letter) > 0 for letter in letters]
    kept = [letter for letter, mark, before in zip(letters, marks, [True] + marks) if not (mark and before)]
    text = " ".join("".join(kept).split())
    return text if len(text) <= LETTERS_MAX else text[: LETTERS_MAX - 1] + "…"
