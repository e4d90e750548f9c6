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
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Dict, Iterable, Iterator, List, Optional, Tuple

from budget import Budget, TooLarge
from clones import read_clone
from readers import (
    OTHER,
    SOURCE_BYTES_MAX,
    TOO_LARGE,
    Found,
    Wanted,
    BudgetOf,
    archive_stem,
    kept,
    limit_of,
    open_archive,
    printable,
    read_archive,
    read_file,
    read_folder,
    too_large,
)

MOODLE = re.compile(r"(?P<student>.+?)_assignsubmission_(?P<plugin>[a-z]+)_?(?P<file>.*)", re.DOTALL)
CANVAS = re.compile(
    r"(?:(?P<name>.+?)_)?(?:(?P<late>LATE)_)?(?P<user>\d+|anon_[^_]+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL
)
CANVAS_ATTEMPT = re.compile(r"-\d+(?=\.[a-z]+$)")
STRAYS_MAX = 5  # files with other names that are remembered
FILES_MAX = 100  # wanted files of one student: more is an accident or an attack
CLASS_BYTES_MAX = 64 << 30  # what the archive of a whole class may become: the instructor has made it
NAME_BYTES_MAX = 200  # of a student's folder: file systems allow 255, and some letters have four


@dataclass
class Work:
    """A student's work on one exercise. `state` is "handed in", or what is wrong: then there is no data."""

    state: str
    data: bytes = b""
    notes: List[str] = field(default_factory=list)
    of_all: bool = False  # what is wrong is wrong with all that the student has handed in


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


def collect(source: str, files: List[Found], exercises: List[str], known: List[str]) -> List[Student]:
    """All students of these files of FROM, by name, each with a Work for each of `exercises`. `known` are all of the lab."""
    programs, all_programs = programs_of(exercises), programs_of(known)
    wanted = wanted_names(programs.values())
    students: Dict[str, Student] = {}
    for found in files:
        place = owner(found.path)
        if place is None or (found.state == OTHER and not names_student(found.path)):
            continue
        name, rest, late = place
        student = students.setdefault(name, Student(safe_name(name)))
        if late and "handed in late, says Canvas" not in student.notes:
            student.notes.append("handed in late, says Canvas")
        if found.problem == "" and is_cu(found) and not wanted(found.path[-1]) and rest and not wanted(rest[-1]):
            if len(rest) <= 2 and len(student.strays) < STRAYS_MAX:
                student.strays.append(Found(rest, found.data))
        elif found.problem or (rest and found.data is not None):
            student.files.append(replace(found, path=rest))
    if not students:
        raise NoSubmissions(f"FROM={source}: there is nothing that a student has handed in")
    for student in students.values():
        student.works = {exercise: choose(student, exercise, programs, all_programs) for exercise in programs}
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
                yield from guarded(source, name, or_any_cu(wanted), deadline)
    elif archive_stem(source):
        yield from read_class_archive(source, exercises, wanted)
    elif os.path.exists(source):
        raise NoSubmissions(f"FROM={source}: it is not a folder, a zip file or a tar file")
    else:
        raise NoSubmissions(f"FROM={source}: there is no such folder or file")


def guarded(source: str, name: str, wanted: Wanted, deadline: Optional[float]) -> List[Found]:
    """What read_student finds. Whatever goes wrong costs this student alone."""
    found: List[Found] = []
    budget = Budget()
    try:
        with budget.reading():
            found.extend(read_student(source, name, wanted, deadline, budget))
    except TooLarge as error:
        found.append(too_large((name, name), error))
    except Exception as error:
        found.append(Found((name, name), problem=f"cannot be read ({type(error).__name__}: {error})"))
    return found


def read_student(source: str, name: str, wanted: Wanted, deadline: Optional[float], budget: Budget) -> Iterator[Found]:
    place = os.path.join(source, name)
    if os.path.islink(place):
        yield Found((name, name), problem="is a link")
    elif os.path.isdir(place):
        yield Found((name,))
        clone = clone_in(place, budget)
        if clone and deadline is not None:
            yield from read_clone(clone, (name,), wanted, deadline, budget)
        else:
            yield from unpacked(read_folder(place, (name,), wanted, budget), wanted, lambda _: budget)
    elif wanted(name):
        data, problem = read_file(place, limit_of(name))
        file = Found((name,), None if data is None else kept(name, data, budget), problem)
        yield from unpacked([file], wanted, lambda _: budget)
    else:
        yield Found((name,), state=OTHER)


def clone_in(folder: str, budget: Budget) -> Optional[str]:
    """The folder, or the only folder in it, if that is a git clone."""
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    inside = []
    for entry in os.scandir(folder):
        budget.entry()
        if entry.is_dir(follow_symlinks=False):
            inside.append(entry.path)
    return inside[0] if len(inside) == 1 and os.path.lexists(os.path.join(inside[0], ".git")) else None


def unpacked(files: Iterable[Found], wanted: Wanted, budget_of: BudgetOf) -> Iterator[Found]:
    """The files, and in the place of an archive the files in it. An archive in an archive is not opened."""
    for found in files:
        if archive_stem(found.path[-1]) and found.data is not None:
            yield Found(found.path)
            yield from in_time(found, no_archives(wanted), budget_of(found.path))
        else:
            yield found


def in_time(archive: Found, wanted: Wanted, budget: Budget) -> List[Found]:
    found: List[Found] = []
    try:
        with budget.reading():
            inside = read_archive(archive.data or b"", archive.path, wanted, budget)
            found.extend(one for one in inside if one.state != OTHER)
    except TooLarge as error:
        found.append(too_large(archive.path, error))
    return found


def no_archives(wanted: Wanted) -> Wanted:
    return lambda name: wanted(name) and archive_stem(name) is None


def read_class_archive(source: str, exercises: set, wanted: Wanted) -> Iterator[Found]:
    """The files of one archive: that of a whole class, or that of one student. It is looked through twice: only all names
    together say which part of a path is the student's, and each student has a budget."""
    some = or_any_cu(wanted)
    with open(source, "rb") as file:
        names = list(open_archive(file, (), some, None, CLASS_BYTES_MAX))
        if any(not found.path for found in names):
            raise NoSubmissions(f"FROM={source}: it {next(found.problem for found in names if not found.path)}")
        around = 0  # folders around all students
        while len({found.path[0] for found in names}) == 1 and is_wrapper(names, exercises, wanted):
            names = [Found(found.path[1:]) for found in names if len(found.path) > 1]
            around += 1
        alone = all(
            found.path[0] in exercises or (len(found.path) == 1 and is_program(found, wanted)) for found in names
        )
        first = (archive_stem(os.path.basename(source)) or source,) if alone else ()
        budgets: Dict[str, Budget] = defaultdict(Budget)

        def budget_of(path: Tuple[str, ...]) -> Budget:
            return budgets["" if alone else "".join(path[around : around + 1])]

        file.seek(0)
        files = open_archive(file, (), some, budget_of, CLASS_BYTES_MAX)
        yield from unpacked(below(files, around, first, source), some, lambda path: budgets["" if alone else path[0]])


def below(files: Iterable[Found], around: int, first: Tuple[str, ...], source: str) -> Iterator[Found]:
    """The files with the student's part at the beginning of their paths; of OTHER files, one for each student."""
    others = set()
    for found in files:
        if not found.path:
            raise NoSubmissions(f"FROM={source}: it {found.problem}")
        if found.state == OTHER:
            if found.path[: around + 1] in others:
                continue
            others.add(found.path[: around + 1])
        if len(found.path) > around:
            yield replace(found, path=first + found.path[around:])


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


def names_student(path: Tuple[str, ...]) -> bool:
    """False for a file beside the folders of the students, unless its name says whose it is."""
    return len(path) > 1 or bool(MOODLE.fullmatch(path[0]) or CANVAS.fullmatch(path[0]))


def choose(student: Student, exercise: str, programs: Dict[str, str], known: Dict[str, str]) -> Work:
    """The one file of a student that is this exercise's, or what is wrong with it."""
    program = programs[exercise]
    over = [found for found in student.files if found.state == TOO_LARGE]
    if over:
        return Work(TOO_LARGE, notes=[f"the submission {over[0].problem}"], of_all=True)
    general = [f"{shown(found.path)} {found.problem}" for found in student.files if found.problem and not is_cu(found)]
    if len(student.files) > FILES_MAX:
        return Work("double", notes=[f"more than {FILES_MAX} files have the name of a program"])
    pool, others = candidates(student.files, exercise, program)
    if not pool and general:
        return Work("not readable", notes=general[:5], of_all=True)
    if not pool and student.strays:
        return stray_work(student.strays, exercise, programs, known)
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


def stray_work(strays: List[Found], exercise: str, programs: Dict[str, str], known: Dict[str, str]) -> Work:
    """A single file with another name counts, if it can belong to no other exercise."""
    program = programs[exercise]
    own = [found for found in strays if exercise_of_stray(found, programs, known) == exercise]
    if len(own) == 1:
        work = judge_text(own[0])
        work.notes.append(f"{shown(own[0].path)} was taken as {program}.cu")
        return work
    unclear = own or [found for found in strays if exercise_of_stray(found, programs, known) == ""]
    if not unclear:
        return missing(program)
    names = ", ".join(shown(found.path) for found in unclear)
    return Work("misnamed", notes=[f"no {program}.cu was handed in, but {names}"])


def exercise_of_stray(found: Found, programs: Dict[str, str], known: Dict[str, str]) -> str:
    """The exercise to which a file with another name belongs: that of its folder, the only one whose program is in its
    name, as in axpy_final.cu, or the only one that is graded. Empty if this is unclear."""
    if found.path[-2:-1] and found.path[-2] in known:
        return found.path[-2]
    name = found.path[-1].lower()
    near = [one for one, program in known.items() if re.search(rf"(?<![a-z]){re.escape(program)}", name)]
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
        return Work(TOO_LARGE, notes=[f"{where} has more than {SOURCE_BYTES_MAX >> 20} MB"])
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


def safe_name(name: str) -> str:
    """A student's name as a folder and as a cell of a table: nothing that a shell, a path or a spreadsheet acts on."""
    name = printable(unicodedata.normalize("NFC", name))
    text = "".join(letter if letter.isalnum() or letter in " ._-@+," else "_" for letter in name).strip()
    text = cut(re.sub(r"^[.=+@\- ]+", "_", text)).rstrip(". ")
    return text or "_"


def cut(text: str, most: int = NAME_BYTES_MAX) -> str:
    """The beginning of a text, cut after `most` bytes."""
    return text.encode()[:most].decode(errors="ignore")


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
