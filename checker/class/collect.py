"""collect: which files each student has handed in.

It knows these layouts, in a folder or in one zip or tar file: STUDENT/axpy.cu, STUDENT/EXERCISE/axpy.cu (with more folders
around them), STUDENT.zip, git clones, and what Moodle and Canvas write:

    Moodle   Jane Doe_12345_assignsubmission_file_/axpy.cu      (mod/assign/locallib.php; the last _ is older)
             Jane Doe_12345_assignsubmission_file_axpy.cu       (without folders)
    Canvas   doejane_LATE_678_91011_axpy-1.cu                   (lib/content_zipper.rb; a new attempt gets -1)

What is wrong with a file becomes the note of its student, and stops nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Dict, Iterable, Iterator, List, Optional, Tuple

from clones import read_clone
from readers import (
    SOURCE_BYTES_MAX,
    Found,
    Wanted,
    archive_stem,
    limit_of,
    open_archive,
    read_archive,
    read_file,
    read_folder,
)

MOODLE = re.compile(r"(?P<student>.+?)_assignsubmission_(?P<plugin>[a-z]+)_?(?P<file>.*)", re.DOTALL)
CANVAS = re.compile(
    r"(?:(?P<name>.+?)_)?(?:(?P<late>LATE)_)?(?P<user>\d+|anon_[^_]+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL
)
CANVAS_ATTEMPT = re.compile(r"-\d+(?=\.[a-z]+$)")
STRAYS_MAX = 5  # files with other names that are remembered
FILES_MAX = 100  # wanted files of one student: more is an accident or an attack
RESERVED = {"grades.csv", "class.html", "class.json", "junit.xml", "points.tsv"}  # names of results


@dataclass
class Work:
    """A student's work on one exercise. `state` is "handed in", or what is wrong: then there is no data."""

    state: str
    data: bytes = b""
    notes: List[str] = field(default_factory=list)


@dataclass
class Student:
    name: str
    files: List[Found] = field(default_factory=list)
    strays: List[Found] = field(default_factory=list)  # .cu files whose names are those of no program
    notes: List[str] = field(default_factory=list)
    works: Dict[str, Work] = field(default_factory=dict)


class NoSubmissions(Exception):
    """FROM cannot be read at all; its text says why."""


def read_all(source: str, exercises: List[str], deadline: Optional[float]) -> List[Found]:
    """All files in FROM that may be a program, or hold one."""
    return list(read_class(source, set(exercises), wanted_names(programs_of(exercises).values()), deadline))


def programs_of(exercises: List[str]) -> Dict[str, str]:
    return {exercise: exercise.split("_", 1)[1] for exercise in exercises}


def collect(source: str, files: List[Found], exercises: List[str]) -> List[Student]:
    """All students of these files of FROM, by name, each with a Work for each exercise."""
    programs = programs_of(exercises)
    wanted = wanted_names(programs.values())
    students: Dict[str, Student] = {}
    for found in files:
        place = owner(found.path)
        if place is None:
            continue
        name, rest, late = place
        student = students.setdefault(name, Student(safe_name(name)))
        if late and "handed in late, says Canvas" not in student.notes:
            student.notes.append("handed in late, says Canvas")
        if found.problem == "" and is_cu(found) and not wanted(found.path[-1]) and rest and not wanted(rest[-1]):
            if len(rest) <= 2 and len(student.strays) < STRAYS_MAX:
                student.strays.append(Found(rest, found.data))
        elif found.problem or (rest and found.data is not None):
            student.files.append(Found(rest, found.data, found.problem))
    if not students:
        raise NoSubmissions(f"FROM={source}: there is nothing that a student has handed in")
    for student in students.values():
        student.works = {exercise: choose(student, exercise, programs) for exercise in programs}
    return with_own_names(students.values())


def wanted_names(programs: Iterable[str]) -> Wanted:
    """Archives, and files with the name of a program; axpy (1).cu and Axpy.cu too."""
    names = "|".join(re.escape(program) for program in programs)
    pattern = re.compile(rf"(.*_)?({names})[ _-]?\(?\d*\)?\.cu", re.IGNORECASE | re.DOTALL)
    return lambda name: not name.startswith("._") and bool(pattern.fullmatch(name) or archive_stem(name))


def or_any_cu(wanted: Wanted) -> Wanted:
    """Other .cu files are read, too: a student may have named the program otherwise."""
    return lambda name: wanted(name) or (name.lower().endswith(".cu") and not name.startswith("._"))


def read_class(source: str, exercises: set, wanted: Wanted, deadline: Optional[float]) -> Iterator[Found]:
    """All files of all students; the first part of each path names its student."""
    if os.path.isdir(source):
        for name in sorted(os.listdir(source)):
            if not name.startswith("."):
                yield from read_student(source, name, or_any_cu(wanted), deadline)
    elif archive_stem(source):
        yield from read_class_archive(source, exercises, wanted)
    elif os.path.exists(source):
        raise NoSubmissions(f"FROM={source}: it is not a folder, a zip file or a tar file")
    else:
        raise NoSubmissions(f"FROM={source}: there is no such folder or file")


def read_student(source: str, name: str, wanted: Wanted, deadline: Optional[float]) -> Iterator[Found]:
    place = os.path.join(source, name)
    if os.path.islink(place):
        yield Found((name, name), problem="is a link")
    elif os.path.isdir(place):
        yield Found((name,))
        clone = clone_in(place)
        if clone and deadline is not None:
            yield from read_clone(clone, (name,), wanted, deadline)
        else:
            yield from unpacked(read_folder(place, (name,), wanted), wanted)
    elif wanted(name):
        yield from unpacked([Found((name,), *read_file(place, limit_of(name)))], wanted)


def clone_in(folder: str) -> Optional[str]:
    """The folder, or the only folder in it, if that is a git clone."""
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    inside = [entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    return inside[0] if len(inside) == 1 and os.path.lexists(os.path.join(inside[0], ".git")) else None


def unpacked(files: Iterable[Found], wanted: Wanted) -> Iterator[Found]:
    """The files, and in the place of an archive the files in it. An archive in an archive is not opened."""
    for found in files:
        if archive_stem(found.path[-1]) and found.data is not None:
            yield Found(found.path)
            yield from (inner for inner in read_archive(found.data, found.path, wanted) if not is_archive(inner))
        else:
            yield found


def is_archive(found: Found) -> bool:
    return found.data is not None and archive_stem(found.path[-1]) is not None


def read_class_archive(source: str, exercises: set, wanted: Wanted) -> Iterator[Found]:
    """The files of one archive: that of a whole class, or that of one student."""
    with open(source, "rb") as file:
        files = list(open_archive(file, (), or_any_cu(wanted)))
    if any(not found.path for found in files):
        raise NoSubmissions(f"FROM={source}: it {next(found.problem for found in files if not found.path)}")
    while len({found.path[0] for found in files}) == 1 and is_wrapper(files, exercises, wanted):
        files = [Found(found.path[1:], found.data, found.problem) for found in files if len(found.path) > 1]
    alone = all(found.path[0] in exercises or (len(found.path) == 1 and is_program(found, wanted)) for found in files)
    if alone:
        stem = archive_stem(os.path.basename(source)) or source
        files = [Found((stem,) + found.path, found.data, found.problem) for found in files]
    yield from unpacked(files, or_any_cu(wanted))


def is_program(found: Found, wanted: Wanted) -> bool:
    name = found.path[-1]
    return wanted(name) and archive_stem(name) is None and not CANVAS.fullmatch(name) and not MOODLE.fullmatch(name)


def is_wrapper(files: List[Found], exercises: set, wanted: Wanted) -> bool:
    """True for the one folder around all students: it has no program and no exercise in it."""
    inner = [found for found in files if len(found.path) > 1]
    return (
        bool(inner)
        and files[0].path[0] not in exercises
        and not MOODLE.fullmatch(files[0].path[0])
        and not any(
            found.path[1] in exercises or (len(found.path) == 2 and is_program(found, wanted)) for found in inner
        )
    )


def owner(path: Tuple[str, ...]) -> Optional[Tuple[str, Tuple[str, ...], bool]]:
    """The student of a file, the path in the student's work, and whether Canvas calls it late."""
    first, rest = path[0], path[1:]
    moodle = MOODLE.fullmatch(first)
    if moodle:
        if moodle["plugin"] != "file":
            return moodle["student"], (), False  # text that was typed into the browser
        return moodle["student"], ((moodle["file"],) if moodle["file"] else ()) + rest, False
    canvas = CANVAS.fullmatch(first)
    if canvas and (not rest or archive_stem(first)):
        name = "_".join(part for part in (canvas["name"], canvas["user"]) if part)
        return name, (CANVAS_ATTEMPT.sub("", canvas["file"]),) + rest, bool(canvas["late"])
    stem = archive_stem(first)
    if stem:
        return stem, rest or (first,), False
    if not rest and first.lower().endswith(".cu"):
        return None  # in no student's folder
    return first, rest, False


def choose(student: Student, exercise: str, programs: Dict[str, str]) -> Work:
    """The one file of a student that is this exercise's, or what is wrong with it."""
    program = programs[exercise]
    general = [f"{shown(found.path)} {found.problem}" for found in student.files if found.problem and not is_cu(found)]
    if len(student.files) > FILES_MAX:
        return Work("double", notes=[f"more than {FILES_MAX} files have the name of a program"])
    pool, others = candidates(student.files, exercise, program)
    if not pool and general:
        return Work("not readable", notes=general[:5])
    if not pool and student.strays:
        return stray_work(student.strays, exercise, programs)
    if not pool:
        return missing(program)
    good = [found for found in pool if not found.problem]
    if not good:
        return Work("not readable", notes=[f"{shown(pool[0].path)} {pool[0].problem}"])
    if len({found.data for found in good}) > 1:
        return Work("double", notes=["different files: " + ", ".join(shown(found.path) for found in good[:5])])
    work = judge_text(good[0])
    if any(found.data != good[0].data for found in others):
        work.notes.append("not graded: " + ", ".join(shown(found.path) for found in others[:5]))
    return work


def stray_work(strays: List[Found], exercise: str, programs: Dict[str, str]) -> Work:
    """A single file with another name counts, if it can belong to no other exercise."""
    program = programs[exercise]
    own = [found for found in strays if exercise_of_stray(found, programs) == exercise]
    if len(own) == 1:
        work = judge_text(own[0])
        work.notes.append(f"{shown(own[0].path)} was taken as {program}.cu")
        return work
    unclear = own or [found for found in strays if exercise_of_stray(found, programs) == ""]
    if not unclear:
        return missing(program)
    names = ", ".join(shown(found.path) for found in unclear)
    return Work("misnamed", notes=[f"no {program}.cu was handed in, but {names}"])


def exercise_of_stray(found: Found, programs: Dict[str, str]) -> str:
    """The exercise to which a file with another name belongs: that of its folder, the only one whose program is in its
    name, as in axpy_final.cu, or the only one that there is. Empty if this is unclear."""
    if found.path[-2:-1] and found.path[-2] in programs:
        return found.path[-2]
    name = found.path[-1].lower()
    near = [one for one, program in programs.items() if re.search(rf"(?<![a-z]){re.escape(program)}", name)]
    near = near or list(programs)
    return near[0] if len(near) == 1 else ""


def missing(program: str) -> Work:
    return Work("missing", notes=[f"no {program}.cu was handed in"])


def is_cu(found: Found) -> bool:
    return bool(found.path) and found.path[-1].lower().endswith(".cu")


def candidates(files: List[Found], exercise: str, program: str) -> Tuple[List[Found], List[Found]]:
    """The files that may be the program, and others of the same name. The exercise's own folder comes first; a file whose
    name was changed, such as axpy (1).cu, counts if there is no other."""
    named = [found for found in files if found.path and found.path[-1] == f"{program}.cu"]
    loose = re.compile(rf"{re.escape(program)}[ _-]?\(?\d*\)?\.cu", re.IGNORECASE)
    named = named or [found for found in files if found.path and loose.fullmatch(found.path[-1])]
    inside = [found for found in named if found.path[-2:-1] == (exercise,)]
    if inside:
        return inside, [found for found in named if found not in inside]
    return named, []


def judge_text(found: Found) -> Work:
    data = found.data or b""
    where = shown(found.path)
    if len(data) > SOURCE_BYTES_MAX:
        return Work("too large", notes=[f"{where} has more than {SOURCE_BYTES_MAX >> 20} MB"])
    if not data.strip():
        return Work("empty", notes=[f"{where} is empty"])
    if b"\0" in data:
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        return Work(
            "not text", notes=[f"{where} is {'UTF-16, which compilers do not read' if wide else 'not a text file'}"]
        )
    return Work("handed in", data)


def shown(path: Tuple[str, ...]) -> str:
    """A path for people: on one line, without control characters."""
    return printable("/".join(path))[:200] or "the submission"


def printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def safe_name(name: str) -> str:
    """A student's name as a folder and as a cell of a table: nothing that a shell, a path or a spreadsheet acts on."""
    text = "".join(letter if letter.isalnum() or letter in " ._-@+," else "_" for letter in printable(name)).strip()
    text = re.sub(r"^[.=+@\- ]+", "_", text)[:100].rstrip(". ")
    return text if text and text not in RESERVED else f"{text}_"


def with_own_names(students: Iterable[Student]) -> List[Student]:
    """The students in the order of their names; of two with the same name as a folder, the second gets a number."""
    used: set = set()
    ordered = sorted(students, key=lambda student: student.name)
    for student in ordered:
        name, number = student.name, 2
        while student.name.casefold() in used:
            student.name, number = f"{name}-{number}", number + 1
        used.add(student.name.casefold())
    return ordered
