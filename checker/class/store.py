"""store: what is kept in TO/.work while a class is graded, and how it survives an end at any moment.

    sources/HASH/axpy.cu     a program that was handed in; HASH is that of its bytes
    checks/KEY/              one finished check: check.json, and what the sandbox left (verdict.json, pretty.txt, seen.txt,
                             and view.html if it was asked for)
    plan.json                who has handed in what
    tmp/                     checks that are not finished; what a killed run leaves here is removed by the next one

KEY is a hash of the program, the exercise, the lab's version, the seed and the device: with the same key, a check says
the same. A check is written in tmp/ and appears in checks/ by one rename, whole or not at all.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from functools import lru_cache
from typing import Any, Dict, List, Optional

KEY_LETTERS = 32
KEPT = 64  # programs and checks in memory: the pages look at those of one student at a time
# They change what a check says.
DEVICE_VARIABLES = ("GPU", "PROFILE", "WARPUP_SECONDS", "DEVICE_COMPILER", "WARPUP_CLANG", "NVCC")


class Busy(Exception):
    """Another process grades into the same folder."""


def digest(*parts: bytes) -> str:
    """One hash of several byte strings."""
    result = hashlib.sha256()
    for part in parts:
        result.update(len(part).to_bytes(8, "big") + part)
    return result.hexdigest()[:KEY_LETTERS]


def write_whole(path: str, text: str) -> None:
    """Writes a file beside its place and renames it: a reader sees all of the old one or all of the new one."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    descriptor, scratch = tempfile.mkstemp(prefix=".new-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(scratch, 0o644)
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise


def read_text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def read_json(path: str) -> Any:
    """What a JSON file holds; None if it is missing or damaged."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def write_json(path: str, value: Any) -> None:
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n")


def lab_version(top: str, exercise: str) -> str:
    """A hash of everything that a check of this exercise depends on. The lab's tests and pages are not part of it."""
    parts: List[bytes] = []
    for folder in ("checker", os.path.join(exercise, "checker")):
        for place, folders, names in os.walk(os.path.join(top, folder)):
            folders[:] = sorted(
                set(folders) - {"test", "template", "class", "mistakes", "editor", "build", "__pycache__"}
            )
            for name in sorted(names):
                path = os.path.join(place, name)
                if not name.endswith(".md") and os.path.isfile(path):
                    with open(path, "rb") as file:
                        parts += [os.path.relpath(path, top).encode(), file.read()]
    return digest(*parts)


class Store:
    """The folder TO/.work of one class."""

    def __init__(self, results: str):
        self.results = os.path.abspath(results)
        self.root = os.path.join(self.results, ".work")
        for folder in ("sources", "checks", "tmp"):
            os.makedirs(os.path.join(self.root, folder), exist_ok=True)

    def path(self, *parts: str) -> str:
        return os.path.join(self.root, *parts)

    def lock(self) -> None:
        """Holds the folder until this process ends, however it ends. Raises Busy if another process holds it."""
        self.lock_file = open(self.path("lock"), "a", encoding="utf-8")
        try:
            fcntl.flock(self.lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy from None
        except OSError:
            pass  # a file system without locks: two classes in one folder only do work twice

    def clear_unfinished(self) -> None:
        shutil.rmtree(self.path("tmp"), ignore_errors=True)
        os.makedirs(self.path("tmp"), exist_ok=True)

    def add_source(self, program: str, data: bytes) -> str:
        """Keeps a program under the hash of its bytes, and returns this hash."""
        name = digest(data)
        folder = self.path("sources", name)
        if not os.path.isdir(folder):
            scratch = tempfile.mkdtemp(dir=self.path("tmp"))
            os.chmod(scratch, 0o755)  # the sandbox may read it as another user
            with open(os.path.join(scratch, program + ".cu"), "wb") as file:
                file.write(data)
            self.install(scratch, folder)
        return name

    def source(self, name: str) -> str:
        """The path of a program."""
        folder = self.path("sources", name)
        return os.path.join(folder, os.listdir(folder)[0])

    @lru_cache(maxsize=KEPT)
    def source_text(self, name: str) -> str:
        with open(self.source(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def scratch(self) -> str:
        return tempfile.mkdtemp(dir=self.path("tmp"))

    def install(self, scratch: str, folder: str) -> None:
        """Moves a folder to its place. If another process was faster, its folder stays: it says the same."""
        try:
            os.rename(scratch, folder)
        except OSError:
            if not os.path.isdir(folder):
                raise
            if os.path.dirname(folder) == self.path("checks") and self.check(os.path.basename(folder)) is None:
                shutil.rmtree(folder)  # damaged
                os.rename(scratch, folder)
            shutil.rmtree(scratch, ignore_errors=True)

    def check(self, key: str) -> Optional[Dict[str, Any]]:
        """A finished check, with its verdict, the pretty text and what was seen; None if there is none."""
        check = read_json(self.path("checks", key, "check.json"))
        if not isinstance(check, dict):
            return None
        check["verdict"] = read_json(self.path("checks", key, "verdict.json")) if check["exit"] == 0 else None
        if check["exit"] == 0 and check["verdict"] is None:
            return None  # the machine itself has stopped before the file was on its disk
        check["pretty"] = self.text(key, "pretty.txt")
        check["seen"] = [line for line in self.text(key, "seen.txt").splitlines() if line.strip()]
        return check

    @lru_cache(maxsize=KEPT)
    def finished(self, key: str) -> Dict[str, Any]:
        """A check that is there and stays."""
        return self.check(key) or {"verdict": None, "pretty": "", "seen": []}

    def is_checked(self, key: str) -> bool:
        return self.check(key) is not None

    def text(self, key: str, name: str) -> str:
        """A text of a check, without the control characters that a program may have put into it."""
        try:
            with open(self.path("checks", key, name), encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            return ""
        return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in text)


def key_of(source: str, exercise: str, version: str, seed: int) -> str:
    device = [os.environ.get(name, "") for name in DEVICE_VARIABLES]
    return digest(*(part.encode() for part in [source, exercise, version, str(seed)] + device))
