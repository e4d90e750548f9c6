"""readers: the files of a submission, read from a folder, a zip file or a tar file.

A class may be hostile, so nothing is ever unpacked to the disk. A reader only yields the files that are wanted, as
bytes, and never more of one than a limit, nor more of one student than the student's Budget. It follows no link, opens no
device or pipe, and gives a reason in place of the bytes for what it does not read.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from typing import Callable, Iterator, Optional, Tuple

from budget import UNPACKED_BYTES_MAX, Budget, TooLarge

SOURCE_BYTES_MAX = 1 << 20  # the starters have 6 KB; nobody writes a megabyte by hand
ARCHIVE_BYTES_MAX = 64 << 20  # an archive of one student, packed; one with a whole clone of the lab has 10 MB
DIRECTORY_BYTES_MAX = 64 << 20  # of a zip file's list of members, which Python reads as a whole: 200 bytes a member
DEPTH_MAX = 12  # folders in folders
PAX_BYTES_MAX = 64 << 10  # of the fields of a tar file's member: older Pythons need time that grows with the square
TAR_MARK = (257, b"ustar")  # where it is, and what
UTF8_FLAG = 0x800  # of a zip file's member: its name is UTF-8

ARCHIVE_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
PASSED_OVER = {"build", "__MACOSX", "node_modules"}  # copies that tools make, not what a student hands in
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others choose how much memory unpacking takes
DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError)  # of one file of an archive: the others can still be read
OTHER = "other"  # the state of a file that is not wanted: whose it is has handed in something
TOO_LARGE = "too large"  # the state of a work that was not read because of its Budget


def printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


@dataclass
class Found:
    """One file. `data` is None for a folder, and for a file that was not read: then `problem` says why, and `state` is
    what the student's work is if there is nothing else."""

    path: Tuple[str, ...]
    data: Optional[bytes] = None
    problem: str = ""
    state: str = "not readable"

    def __post_init__(self) -> None:
        self.problem = printable(self.problem)


Wanted = Callable[[str], bool]
BudgetOf = Callable[[Tuple[str, ...]], Budget]  # by the path of a file


def too_large(path: Tuple[str, ...], error: TooLarge) -> Found:
    return Found(path, problem=f"is too large: {error}", state=TOO_LARGE)


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


def kept(name: str, data: bytes, budget: Budget) -> bytes:
    """Data that has been read. An archive is not kept: its files are."""
    budget.read(len(data))
    return data if archive_stem(name) else budget.keep(data)


def read_file(path: str, limit: int) -> Tuple[Optional[bytes], str]:
    """A regular file, or None and the reason. A file over the limit is cut one byte after it. Links are not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return None, "is a link" if os.path.islink(path) else f"cannot be read: {error.strerror}"
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None, "is not a regular file"
        try:
            return file.read(limit + 1), ""
        except OSError as error:
            return None, f"cannot be read: {error.strerror}"


def read_folder(root: str, path: Tuple[str, ...], wanted: Wanted, budget: Budget) -> Iterator[Found]:
    """The wanted files in a folder and in its folders, in the order of their names."""
    waiting = [path]
    while waiting:
        folder = waiting.pop()
        if len(folder) > DEPTH_MAX:
            raise TooLarge(f"its folders are nested deeper than {DEPTH_MAX}")
        names = []
        try:
            with os.scandir(os.path.join(root, *folder[len(path) :])) as entries:
                for entry in entries:
                    budget.entry()
                    names.append(entry.name)
        except OSError as error:
            yield Found(folder, problem=f"cannot be read: {error.strerror}")
            continue
        inner = []
        for name in sorted(names):
            place = os.path.join(root, *folder[len(path) :], name)
            if os.path.isdir(place) and not os.path.islink(place):
                if not is_passed_over(name):
                    inner.append(folder + (name,))
            elif wanted(name):
                data, problem = read_file(place, limit_of(name))
                yield Found(folder + (name,), None if data is None else kept(name, data, budget), problem)
        waiting += reversed(inner)


@dataclass
class Member:
    """A file or folder of an archive. `read` gives up to a number of its bytes; None for what is not read."""

    path: Tuple[str, ...]
    problem: str = ""
    read: Optional[Callable[[int], bytes]] = None
    size: int = 0  # as a tar file says, which has to be passed over in full


def read_archive(data: bytes, path: Tuple[str, ...], wanted: Wanted, budget: Budget) -> Iterator[Found]:
    """The wanted files of a student's archive. Damage ends the reading, and is yielded as a problem of the archive."""
    if len(data) > ARCHIVE_BYTES_MAX:
        yield too_large(path, TooLarge(f"it is an archive of more than {ARCHIVE_BYTES_MAX >> 20} MB"))
        return
    yield from open_archive(io.BytesIO(data), path, wanted, lambda _: budget, UNPACKED_BYTES_MAX)


def open_archive(
    file: io.IOBase, path: Tuple[str, ...], wanted: Wanted, budget_of: Optional[BudgetOf], most: int
) -> Iterator[Found]:
    """The wanted files of an archive that unpacks to at most `most` bytes; without `budget_of`, only their names. What is
    too large is yielded once for each budget."""
    over = set()
    try:
        is_zip = zipfile.is_zipfile(file) and not is_tar(file)
        file.seek(0)
        for member in zip_members(file, wanted) if is_zip else tar_members(file, wanted, most):
            budget = budget_of(member.path) if budget_of else None
            if budget is None:
                if wanted(member.path[-1]) or not member.read:
                    yield Found(path + member.path, problem=member.problem)
            elif budget not in over:
                try:
                    yield from in_budget(member, path, wanted, budget)
                except TooLarge as error:
                    over.add(budget)
                    yield too_large(path + member.path, error)
                except DAMAGES:
                    yield Found(path + member.path, problem="is damaged")
    except TooLarge as error:
        yield too_large(path, error)
    except Exception:  # the standard library raises some twenty kinds for archives made to break it
        yield Found(path, problem="is damaged, or is neither a zip nor a tar file")


def is_tar(file: io.IOBase) -> bool:
    """A tar file may end with a zip file, which is one of its members."""
    file.seek(TAR_MARK[0])
    return file.read(len(TAR_MARK[1])) == TAR_MARK[1]


def in_budget(member: Member, path: Tuple[str, ...], wanted: Wanted, budget: Budget) -> Iterator[Found]:
    """The member; of a file that is not wanted, only its name."""
    budget.entry()
    budget.read(member.size)
    name = member.path[-1]
    if member.read and wanted(name):
        yield Found(path + member.path, kept(name, member.read(limit_of(name) + 1), budget))
    else:
        yield Found(path + member.path, problem=member.problem, state=OTHER if member.read else "not readable")


def member_path(name: str) -> Tuple[Optional[Tuple[str, ...]], str]:
    """The folders and the name of an archive's member, or None and the reason why it is not read."""
    parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    if name.startswith(("/", "\\")) or ".." in parts or name[1:2] == ":":
        return None, "has a name that leads out of its folder"
    if not parts or len(parts) > DEPTH_MAX or any(is_passed_over(part) for part in parts[:-1]):
        return None, ""
    return parts, ""


def last_part(name: str) -> str:
    return name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def member_name(member: zipfile.ZipInfo) -> str:
    """The name of a zip file's member. Many programs write UTF-8 without saying so; then Python reads it as cp437."""
    if not member.flag_bits & UTF8_FLAG:
        try:
            return member.filename.encode("cp437").decode("utf-8")
        except ValueError:
            pass  # it is another alphabet's
    return member.filename


def zip_members(file: io.IOBase, wanted: Wanted) -> Iterator[Member]:
    end = zipfile._EndRecData(file)  # pylint: disable=protected-access
    if end is not None and end[zipfile._ECD_SIZE] > DIRECTORY_BYTES_MAX:  # pylint: disable=protected-access
        raise TooLarge(f"its list of files has more than {DIRECTORY_BYTES_MAX >> 20} MB")
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            full = member_name(info)
            parts, problem = member_path(full)
            name = last_part(full)
            if parts is None:
                if problem and wanted(name):
                    yield Member((name,), problem)
            elif info.is_dir():
                yield Member(parts)
            elif not wanted(name):
                yield Member(parts, read=lambda most: b"")
            elif stat.S_ISLNK(info.external_attr >> 16):
                yield Member(parts, "is a link")
            elif info.flag_bits & 1:
                yield Member(parts, "is encrypted")
            elif info.compress_type not in METHODS:
                yield Member(parts, "is packed in another way than Deflate, which is not read")
            else:
                yield Member(parts, read=lambda most, info=info: read_member(archive, info, most))


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    with archive.open(info) as content:
        return content.read(most)


class Counted(io.RawIOBase):
    """Passes on what a stream gives, and raises TooLarge after a number of bytes. A file that says it has more is refused
    before: to pass over one that goes on beyond the archive's end, tarfile reads on and on."""

    def __init__(self, stream, most: int):
        self.stream, self.most, self.left = stream, most, most

    def readable(self):
        return True

    def read(self, size=-1):
        data = self.stream.read(1 << 20 if size < 0 else min(size, 1 << 20))
        self.need(len(data))
        self.left -= len(data)
        return data

    def need(self, count: int) -> None:
        if count > self.left:
            raise TooLarge(f"it unpacks to more than {self.most >> 20} MB")


class TarInfo(tarfile.TarInfo):
    """A member of a tar file, without more fields than people's files have."""

    def _proc_pax(self, archive):
        if self.size > PAX_BYTES_MAX:
            raise TooLarge(f"a file in it has more than {PAX_BYTES_MAX >> 10} KB of fields")
        return super()._proc_pax(archive)


def tar_members(file: io.IOBase, wanted: Wanted, most: int) -> Iterator[Member]:
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    stream = Counted(gzip.GzipFile(fileobj=file) if packed else file, most)
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=TarInfo) as archive:
        for info in archive:
            stream.need(info.size)
            archive.members = []  # or it would keep a note of each of them
            parts, problem = member_path(info.name)
            name = last_part(info.name)
            if parts is None:
                if problem and wanted(name):
                    yield Member((name,), problem)
            elif info.isdir():
                yield Member(parts)
            elif not wanted(name):
                yield Member(parts, read=lambda most: b"", size=info.size)
            elif info.issym() or info.islnk():
                yield Member(parts, "is a link")
            elif not info.isfile():
                yield Member(parts, "is not a regular file")
            else:
                yield Member(parts, read=lambda most, info=info: archive.extractfile(info).read(most))
