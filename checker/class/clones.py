"""clones: the files of a git clone as they were at a deadline.

A clone may have settings and hooks that run programs. So git never works in it: it works in an empty repository of its
own, to which the clone only lends its objects. The branch that is checked out is read from the clone's files.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import Iterator, Optional, Tuple

from readers import ENTRIES_MAX, Found, SOURCE_BYTES_MAX, Wanted, is_passed_over

SECONDS_PER_CALL = 60  # git needs milliseconds here, unless its objects are made to be slow
HEX = set("0123456789abcdef")


class NotReadable(Exception):
    """A clone that cannot be read; its text says why."""


def read_clone(root: str, path: Tuple[str, ...], wanted: Wanted, deadline: float) -> Iterator[Found]:
    """The wanted files in the last commit whose date is not after the deadline (seconds since 1970)."""
    try:
        with tempfile.TemporaryDirectory() as scratch:
            lend_objects(os.path.join(root, ".git"), scratch)
            commit = git(
                scratch, "rev-list", "-1", f"--before={int(deadline)}", checked_out(os.path.join(root, ".git"))
            )
            if not commit.strip():
                yield Found(path, problem="has no commit before the deadline")
                return
            yield from read_commit(scratch, commit.decode().strip(), path, wanted)
    except NotReadable as error:
        yield Found(path, problem=f"is a clone that cannot be read: {error}")


def lend_objects(clone: str, scratch: str) -> None:
    objects = os.path.realpath(os.path.join(clone, "objects"))
    if os.path.islink(clone) or not os.path.isdir(clone) or "\n" in objects:
        raise NotReadable("its .git is not a folder")
    if os.path.islink(os.path.join(clone, "objects")) or os.path.exists(os.path.join(objects, "info", "alternates")):
        raise NotReadable("its objects are in another folder")
    git(scratch, "init", "--quiet", "--bare", ".")
    with open(os.path.join(scratch, "objects", "info", "alternates"), "w", encoding="utf-8") as file:
        file.write(objects + "\n")


def git(folder: str, *arguments: str) -> bytes:
    """What git prints, with no settings but its own defaults, and without the network."""
    environment = {"PATH": os.environ.get("PATH", ""), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    environment.update({"HOME": folder, "GIT_ALLOW_PROTOCOL": "none", "GIT_DIR": folder, "LC_ALL": "C"})
    try:
        answer = subprocess.run(
            ("git",) + arguments,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=SECONDS_PER_CALL,
            check=False,
        )
    except FileNotFoundError:
        raise NotReadable("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise NotReadable("git did not end in time") from None
    if answer.returncode != 0:
        lines = answer.stderr.decode(errors="replace").strip().splitlines()
        raise NotReadable(lines[-1][:200] if lines else "git fails")
    return answer.stdout


def checked_out(clone: str) -> str:
    """The commit that HEAD names."""
    head = first_line(os.path.join(clone, "HEAD")) or ""
    if head.startswith("ref: refs/") and ".." not in head:
        reference = head[len("ref: ") :]
        head = first_line(os.path.join(clone, *reference.split("/"))) or packed(clone, reference) or ""
    if len(head) not in (40, 64) or not set(head) <= HEX:
        raise NotReadable("no commit is checked out")
    return head


def packed(clone: str, reference: str) -> Optional[str]:
    try:
        with open(os.path.join(clone, "packed-refs"), encoding="utf-8", errors="replace") as file:
            for line in file:
                words = line.split()
                if len(words) == 2 and words[1] == reference:
                    return words[0]
    except OSError:
        pass
    return None


def first_line(path: str) -> Optional[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(1000).strip()
    except OSError:
        return None


def read_commit(scratch: str, commit: str, path: Tuple[str, ...], wanted: Wanted) -> Iterator[Found]:
    """A row of ls-tree is: mode, type, object, size, a tab, the name."""
    rows = git(scratch, "ls-tree", "-r", "-l", "-z", commit).decode(errors="replace").split("\0")[:-1]
    if len(rows) > ENTRIES_MAX:
        raise NotReadable(f"it has more than {ENTRIES_MAX} files")
    for row in rows:
        about, name = row.split("\t", 1)
        mode, kind, blob, size = about.split()
        parts = tuple(name.split("/"))
        if kind != "blob" or not wanted(parts[-1]) or any(is_passed_over(part) for part in parts[:-1]):
            continue
        if mode == "120000":
            yield Found(path + parts, problem="is a link")
        elif int(size) > SOURCE_BYTES_MAX:
            yield Found(path + parts, b" " * (SOURCE_BYTES_MAX + 1))
        else:
            yield Found(path + parts, git(scratch, "cat-file", "blob", blob))
