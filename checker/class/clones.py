"""clones: the files of a git clone as they were at a deadline.

A clone may have settings and hooks that run programs. So git never works in it: it works in an empty repository of its
own, to which the clone only lends its objects. The branch that is checked out is read from the clone's files. Nothing
below .git may be a link, a pipe or the like: a link leads to somebody else's objects. Objects may be made so that they grow
without end, so git has little memory and time.
"""

from __future__ import annotations

import io
import os
import resource
import signal
import stat
import subprocess
import tempfile
from typing import Dict, Iterator, List, Set, Tuple

from budget import Budget, TooLarge
from readers import ARCHIVE_BYTES_MAX, Found, SOURCE_BYTES_MAX, Wanted, is_passed_over, kept, read_file

# Limits of one call of git. It needs some 20 MB and milliseconds here, unless its objects are made to need more.
GIT_BYTES, GIT_SECONDS, GIT_OUTPUT_BYTES = 400 << 20, 5, 16 << 20
GIT_SETTINGS = {"core.packedGitWindowSize": "8m", "core.packedGitLimit": "64m", "core.deltaBaseCacheLimit": "16m"}
GIT_SETTINGS.update(
    {"core.commitGraph": "false", "core.multiPackIndex": "false"}
)  # they may say other than the objects
REFERENCES_BYTES_MAX = 1 << 20  # of packed-refs
HEX = set("0123456789abcdef")


class NotReadable(Exception):
    """A clone that cannot be read; its text says why."""


def read_clone(root: str, path: Tuple[str, ...], wanted: Wanted, deadline: float, budget: Budget) -> Iterator[Found]:
    """The wanted files in the last commit whose date is not after the deadline (seconds since 1970)."""
    clone = os.path.join(root, ".git")
    try:
        look_through(clone, budget)
        with tempfile.TemporaryDirectory() as scratch:
            head = checked_out(clone)
            lend_objects(clone, scratch, "sha1" if len(head) == 40 else "sha256")
            commit = git(scratch, "rev-list", "-1", f"--before={int(deadline)}", head).decode("ascii").strip()
            if not commit:
                yield Found(path, problem="has no commit before the deadline")
                return
            yield from read_commit(scratch, commit, path, wanted, budget)
    except NotReadable as error:
        yield Found(path, problem=f"is a clone that cannot be read: {error}")


def look_through(clone: str, budget: Budget) -> None:
    """Refuses a clone in which something is neither a file nor a folder, or whose objects are many or large."""
    if os.path.islink(clone) or not os.path.isdir(clone):
        raise NotReadable("its .git is not a folder")
    waiting, left = [clone], ARCHIVE_BYTES_MAX
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                budget.entry()
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(about.st_mode):
                    waiting.append(entry.path)
                elif not stat.S_ISREG(about.st_mode):
                    raise NotReadable(f"{os.path.relpath(entry.path, clone)} in its .git is not a regular file")
                left -= about.st_size
                if left < 0:
                    raise TooLarge(f"its .git has more than {ARCHIVE_BYTES_MAX >> 20} MB")


def lend_objects(clone: str, scratch: str, hashes: str) -> None:
    objects = os.path.realpath(os.path.join(clone, "objects"))
    if not os.path.isdir(objects) or os.path.exists(os.path.join(objects, "info", "alternates")):
        raise NotReadable("its objects are in another folder")
    if "\n" in objects or objects.startswith('"'):
        raise NotReadable("its folder has a name that git does not take")
    git(scratch, "init", "--quiet", "--bare", *([] if hashes == "sha1" else [f"--object-format={hashes}"]), ".")
    with open(
        os.path.join(scratch, "objects", "info", "alternates"), "w", encoding="utf-8", errors="surrogateescape"
    ) as file:
        file.write(objects + "\n")
    data, _ = read_file(os.path.join(clone, "shallow"), REFERENCES_BYTES_MAX)
    if data:  # the commits before these were not fetched
        with open(os.path.join(scratch, "shallow"), "wb") as file:
            file.write(data)


def limit_git() -> None:
    """In the process that becomes git. What it prints goes to a file, so the length of a file limits that too."""
    for what, most in (
        (resource.RLIMIT_AS, GIT_BYTES),
        (resource.RLIMIT_CPU, GIT_SECONDS),
        (resource.RLIMIT_FSIZE, GIT_OUTPUT_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def git(folder: str, *arguments: str, data: bytes = b"") -> bytes:
    """What git prints, with no settings but these, and without the network. The budget of the student ends git, too."""
    environment = {"PATH": os.environ.get("PATH", ""), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    environment.update({"HOME": folder, "GIT_ALLOW_PROTOCOL": "none", "GIT_DIR": folder, "LC_ALL": "C"})
    command = ["git"] + [word for name, value in GIT_SETTINGS.items() for word in ("-c", f"{name}={value}")]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write(data)
        given.seek(0)
        try:
            answer = subprocess.run(
                command + list(arguments),
                cwd=folder,
                env=environment,
                stdin=given,
                stdout=output,
                stderr=errors,
                preexec_fn=limit_git,
                check=False,
            )
        except FileNotFoundError:
            raise NotReadable("git is not installed") from None
        errors.seek(0)
        said = errors.read(4096).decode(errors="replace")
        if answer.returncode in (-signal.SIGXCPU, -signal.SIGKILL, -signal.SIGXFSZ) or "emory" in said:
            raise TooLarge(f"git needs more than {GIT_BYTES >> 20} MB or {GIT_SECONDS} s for its objects")
        if answer.returncode != 0:
            lines = said.strip().splitlines()
            raise NotReadable(lines[-1][:200] if lines else "git fails")
        output.seek(0)
        return output.read()


def checked_out(clone: str) -> str:
    """The commit that HEAD names."""
    head = first_line(os.path.join(clone, "HEAD"))
    if head.startswith("ref: refs/") and ".." not in head:
        reference = head[len("ref: ") :]
        head = first_line(os.path.join(clone, *reference.split("/"))) or packed(clone, reference)
    if len(head) not in (40, 64) or not set(head) <= HEX:
        raise NotReadable("no commit is checked out")
    return head


def packed(clone: str, reference: str) -> str:
    data, _ = read_file(os.path.join(clone, "packed-refs"), REFERENCES_BYTES_MAX)
    for line in (data or b"").decode(errors="replace").splitlines():
        words = line.split()
        if len(words) == 2 and words[1] == reference:
            return words[0]
    return ""


def first_line(path: str) -> str:
    data, _ = read_file(path, 1000)
    return (data or b"").decode(errors="replace").split("\n", 1)[0].strip()


def read_commit(scratch: str, commit: str, path: Tuple[str, ...], wanted: Wanted, budget: Budget) -> Iterator[Found]:
    """A row of ls-tree is: mode, type, object, size, a tab, the name."""
    rows = git(scratch, "ls-tree", "-r", "-l", "-z", commit).decode(errors="replace").split("\0")[:-1]
    files: List[Tuple[Tuple[str, ...], str]] = []
    for row in rows:
        budget.entry()
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
            files.append((parts, blob))
    contents = read_blobs(scratch, {blob for _, blob in files})
    for parts, blob in files:
        yield Found(path + parts, kept(parts[-1], contents[blob], budget))


def read_blobs(scratch: str, blobs: Set[str]) -> Dict[str, bytes]:
    """The objects, from one call of git: it prints `OBJECT blob SIZE`, a line end, the bytes and a line end for each."""
    contents: Dict[str, bytes] = {}
    answer = io.BytesIO(git(scratch, "cat-file", "--batch", data="".join(f"{blob}\n" for blob in blobs).encode()))
    for blob in blobs:
        words = answer.readline().decode().split()
        if len(words) != 3:
            raise NotReadable(f"{blob} is not in it")
        contents[blob] = answer.read(int(words[2]))
        answer.read(1)
    return contents
