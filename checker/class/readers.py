"""readers: the files of a submission, read from a folder, a zip file or a tar file.

A class may be hostile, so nothing is ever unpacked to the disk. A reader only yields the files that are wanted, as
bytes, and never more of one than a limit. It follows no link, opens no device, and gives a reason in place of the bytes
for what it does not read.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
from dataclasses import dataclass
from typing import Callable, Iterator, Optional, Tuple

SOURCE_BYTES_MAX = 1 << 20  # the starters have 6 KB; nobody writes a megabyte by hand
ARCHIVE_BYTES_MAX = 64 << 20  # an archive of one student, packed; one with a whole clone of the lab has 10 MB
UNPACKED_BYTES_MAX = 128 << 20  # what a tar file may become while it is read: gzip packs zeros 1000 to 1
ENTRIES_MAX = 20000  # files and folders of one student or of one archive; a clone of the lab has 3000
DEPTH_MAX = 12  # folders in folders
UTF8_FLAG = 0x800  # of a zip file's member: its name is UTF-8

ARCHIVE_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
PASSED_OVER = {"build", "__MACOSX", "node_modules"}  # copies that tools make, not what a student hands in


@dataclass
class Found:
    """One file. `data` is None for a folder, and for a file that was not read: then `problem` says why."""

    path: Tuple[str, ...]
    data: Optional[bytes] = None
    problem: str = ""


Wanted = Callable[[str], bool]


def archive_stem(name: str) -> Optional[str]:
    """The name of an archive without its ending; None if it has no such ending."""
    for ending in ARCHIVE_ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return None


def limit_of(name: str) -> int:
    return ARCHIVE_BYTES_MAX if archive_stem(name) else SOURCE_BYTES_MAX


def is_passed_over(name: str) -> bool:
    return name in PASSED_OVER or name.startswith(".")


def read_file(path: str, limit: int) -> Tuple[Optional[bytes], str]:
    """A regular file, or None and the reason. A file over the limit is cut one byte after it. Links are not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return None, "is a link" if os.path.islink(path) else f"cannot be read: {error.strerror}"
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None, "is not a regular file"
        return file.read(limit + 1), ""


def read_folder(root: str, path: Tuple[str, ...], wanted: Wanted) -> Iterator[Found]:
    """The wanted files in a folder and in its folders, in the order of their names."""
    entries = 0
    waiting = [path]
    while waiting:
        folder = waiting.pop()
        try:
            names = sorted(os.listdir(os.path.join(root, *folder[len(path) :])))
        except OSError as error:
            yield Found(folder, problem=f"cannot be read: {error.strerror}")
            continue
        entries += len(names)
        if entries > ENTRIES_MAX or len(folder) > DEPTH_MAX:
            yield Found(folder, problem=f"has more than {ENTRIES_MAX} files, or folders that are nested too deep")
            return
        inner = []
        for name in names:
            place = os.path.join(root, *folder[len(path) :], name)
            if os.path.isdir(place) and not os.path.islink(place):
                if not is_passed_over(name):
                    inner.append(folder + (name,))
            elif wanted(name):
                yield Found(folder + (name,), *read_file(place, limit_of(name)))
        waiting += reversed(inner)


def read_archive(data: bytes, path: Tuple[str, ...], wanted: Wanted) -> Iterator[Found]:
    """The wanted files of an archive. Damage ends the reading, and is yielded as a problem of the archive."""
    if len(data) > ARCHIVE_BYTES_MAX:
        yield Found(path, problem=f"is an archive of more than {ARCHIVE_BYTES_MAX >> 20} MB")
        return
    yield from open_archive(io.BytesIO(data), path, wanted)


def open_archive(file: io.IOBase, path: Tuple[str, ...], wanted: Wanted) -> Iterator[Found]:
    try:
        is_zip = zipfile.is_zipfile(file)
        file.seek(0)
        yield from (read_zip if is_zip else read_tar)(file, path, wanted)
    except TooLarge as error:
        yield Found(path, problem=f"is an archive that {error}")
    except Exception as error:  # the standard library raises some twenty kinds for archives made to break it
        yield Found(path, problem=f"is a damaged archive ({type(error).__name__})")


class TooLarge(Exception):
    """An archive that grows past a limit while it is read."""


def member_path(name: str) -> Tuple[Optional[Tuple[str, ...]], str]:
    """The folders and the name of an archive's member, or None and the reason why it is not read."""
    parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    if name.startswith(("/", "\\")) or ".." in parts or name[1:2] == ":":
        return None, "has a name that leads out of its folder"
    if not parts or len(parts) > DEPTH_MAX or any(is_passed_over(part) for part in parts[:-1]):
        return None, ""
    return parts, ""


def member_name(member: zipfile.ZipInfo) -> str:
    """The name of a zip file's member. Many programs write UTF-8 without saying so; then Python reads it as cp437."""
    if not member.flag_bits & UTF8_FLAG:
        try:
            return member.filename.encode("cp437").decode("utf-8")
        except ValueError:
            pass  # it is another alphabet's
    return member.filename


def read_zip(file: io.IOBase, path: Tuple[str, ...], wanted: Wanted) -> Iterator[Found]:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) > ENTRIES_MAX:
            raise TooLarge(f"has more than {ENTRIES_MAX} files")
        for member in members:
            parts, problem = member_path(member_name(member))
            name = member_name(member).rstrip("/").rsplit("/", 1)[-1]
            if parts is None:
                if problem and wanted(name):
                    yield Found(path + (name,), problem=problem)
                continue
            if member.is_dir():
                yield Found(path + parts)
            elif wanted(name):
                if stat.S_ISLNK(member.external_attr >> 16):
                    yield Found(path + parts, problem="is a link")
                elif member.flag_bits & 1:
                    yield Found(path + parts, problem="is encrypted")
                else:
                    with archive.open(member) as content:
                        yield Found(path + parts, content.read(limit_of(name) + 1))


class Counted(io.RawIOBase):
    """Passes on what a stream gives, and raises TooLarge after UNPACKED_BYTES_MAX."""

    def __init__(self, stream):
        self.stream, self.left = stream, UNPACKED_BYTES_MAX

    def readable(self):
        return True

    def read(self, size=-1):
        data = self.stream.read(1 << 20 if size < 0 else min(size, 1 << 20))
        self.left -= len(data)
        if self.left < 0:
            raise TooLarge(f"unpacks to more than {UNPACKED_BYTES_MAX >> 20} MB")
        return data


def read_tar(file: io.IOBase, path: Tuple[str, ...], wanted: Wanted) -> Iterator[Found]:
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    stream = Counted(gzip.GzipFile(fileobj=file) if packed else file)
    entries = 0
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            entries += 1
            if entries > ENTRIES_MAX:
                raise TooLarge(f"has more than {ENTRIES_MAX} files")
            archive.members = []  # or it would keep a note of each of them
            parts, problem = member_path(member.name)
            name = member.name.rstrip("/").rsplit("/", 1)[-1]
            if parts is None:
                if problem and wanted(name):
                    yield Found(path + (name,), problem=problem)
            elif member.isdir():
                yield Found(path + parts)
            elif wanted(name):
                if member.isfile():
                    yield Found(path + parts, archive.extractfile(member).read(limit_of(name) + 1))
                else:
                    yield Found(
                        path + parts,
                        problem="is a link" if member.issym() or member.islnk() else "is not a regular file",
                    )
