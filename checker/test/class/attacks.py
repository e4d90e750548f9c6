"""attacks: writes submissions that attack the reader of a class, and what the class has to say of each.

    attacks.py FROM      fills the folder FROM, and prints a row per student: name, tab, a pattern for
                         "state,rung,…" of its grades

They are 32 archives, 16 clones, 19 names and 6 folders, by somebody who has read the source of
checker/class. Between them are students who mean well: whatever the others do, these have their rungs. Each
attack is one entry of a table; a new one is one line more.
"""

import glob
import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib

FROM = sys.argv[1]
GOOD, OTHER = b"// rung 2\n", b"// rung 3\n"
DATE = "2026-11-20T10:00+00:00"  # of all commits: before the deadline of the test
IDENTITY = {
    "GIT_AUTHOR_DATE": DATE,
    "GIT_COMMITTER_DATE": DATE,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}
GRADED, LOST, LARGE = "graded,2,", "not readable,,", "too large,,"


def say(name: str, expected: str) -> None:
    print(f"{name}\t{expected}")


# ---- archives ------------------------------------------------------------------------------------------------------


def zipped(*files, **options) -> bytes:
    """A zip file of (name, data); a name may be a ZipInfo."""
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return result.getvalue()


def special(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, **fields) -> bytes:
    """One member of a tar file, with its header's fields as they are wanted."""
    info = tarfile.TarInfo(name)
    info.size, info.type = len(data), kind
    for field, value in fields.items():
        setattr(info, field, value)
    return info.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512)


def overlapping(count: int) -> bytes:
    """A zip file whose list has `count` members, all with the same packed bytes: a megabyte of spaces."""
    once = zipped(("0/axpy.cu", b" " * (1 << 20)))
    start = once.index(b"PK\1\2")
    entry, end = once[start : once.index(b"PK\5\6")], bytearray(once[once.index(b"PK\5\6") :])
    entries = b"".join(entry.replace(b"0/axpy", b"%c/axpy" % (65 + i)) for i in range(count))
    end[8:12] = count.to_bytes(2, "little") * 2
    end[12:16] = len(entries).to_bytes(4, "little")
    return once[:start] + entries + bytes(end)


def patched(data: bytes, old: bytes, new: bytes, times: int = -1) -> bytes:
    assert old in data and len(old) == len(new)
    return data.replace(old, new, times)


def pax(records: bytes) -> bytes:
    return member("pax", records, tarfile.XHDTYPE)


def large_list() -> bytes:
    """The end of a zip file of 64-bit numbers, whose list of members has 2^62 bytes."""
    end = (
        b"PK\6\6"
        + (44).to_bytes(8, "little")
        + bytes(12)
        + (1).to_bytes(8, "little") * 2
        + (1 << 62).to_bytes(8, "little")
    )
    return (
        end
        + bytes(8)
        + b"PK\6\7"
        + bytes(12)
        + (1).to_bytes(4, "little")
        + b"PK\5\6"
        + b"\0" * 4
        + b"\xff" * 12
        + b"\0\0"
    )


def wide_zip(extra: bytes) -> bytes:
    """A zip file whose list says that the numbers of its member are in this field for 64-bit numbers."""
    info = zipfile.ZipInfo("axpy.cu")
    data = zipped((info, GOOD))
    start = data.index(b"PK\1\2")
    entry, end = bytearray(data[start : data.index(b"PK\5\6")]), bytearray(data[data.index(b"PK\5\6") :])
    entry[20:28], entry[30:32] = b"\xff" * 8, len(extra).to_bytes(2, "little")
    end[12:16] = (len(entry) + len(extra)).to_bytes(4, "little")
    return data[:start] + bytes(entry) + extra + bytes(end)


TAR = member("axpy.cu", GOOD)
ARCHIVES = {
    "twice.zip": (zipped(("axpy.cu", GOOD), ("./axpy.cu", OTHER)), "double,,"),
    "renamed.zip": (patched(zipped(("axpy.cu", GOOD)), b"axpy.cu", b"rot_.cu", 1), LOST),
    "overlap.zip": (overlapping(20), f"{LARGE}|{LOST}"),
    "damaged.zip": (patched(zipped(("axpy.cu", OTHER * 9)), zlib.compress(OTHER * 9)[2:6], b"\xff\xff\xff\xff"), LOST),
    "encrypted.zip": (patched(zipped(("axpy.cu", GOOD)), b"\x14\0\0\0\x08\0", b"\x14\0\1\0\x08\0"), LOST),
    "liar.zip": (patched(zipped(("axpy.cu", GOOD)), b"\1\0\1\0", b"\xff\x7f\xff\x7f"), f"{GRADED}|{LOST}"),
    "large-list.zip": (large_list(), LARGE),
    "picture.zip": (b"\x89PNG" + bytes(5000) + zipped(("axpy.cu", GOOD)), GRADED),
    "nested.zip": (zipped(("inner.zip", zipped(("axpy.cu", GOOD)))), "missing,,"),
    "folder.zip": (zipped(("axpy.cu/", b""), ("axpy.cu/axpy.cu", GOOD)), GRADED),
    "nul.zip": (patched(zipped(("axpy.cu_x", GOOD)), b"cu_x", b"cu\0x"), f"{GRADED}|{LOST}"),
    "pipe.zip": (zipped((special("axpy.cu", 0o010644), GOOD)), f"{GRADED}|{LOST}"),
    "windows.zip": (zipped(("C:\\axpy.cu", GOOD), ("..\\..\\axpy.cu", GOOD)), LOST),
    "comment.zip": (zipped(("axpy.cu", GOOD))[:-2] + b"\xff\xff" + b"PK\5\6" * 100, f"{GRADED}|{LOST}"),
    "wide.zip": (wide_zip(b"\1\0\x10\0" + b"\xff" * 7 + b"\x7f" + bytes(7) + b"\x40"), LOST),
    "narrow.zip": (wide_zip(b"\1\0\2\0\1\2"), LOST),
    "patch.zip": (patched(zipped(("axpy.cu", GOOD)), b"\x14\0\0\0\x08\0", b"\x14\0\x20\0\x08\0"), LOST),
    "via-link.zip": (zipped((special("ex01_axpy", 0o120777), b"/etc"), ("ex01_axpy/axpy.cu", GOOD)), GRADED),
    "long-name.tar": (member("././@LongLink", kind=b"L", size=1 << 40), f"{LOST}|{LARGE}"),
    "neighbour.tar": (member("axpy.cu", kind=tarfile.LNKTYPE, linkname="../aaa/axpy.cu"), LOST),
    "all-names.tar": (
        member("g", b"16 path=axpy.cu\n", tarfile.XGLTYPE) + member("a", OTHER) + member("b"),
        "double,,",
    ),
    "hard.tar": (member("axpy.cu", kind=tarfile.LNKTYPE, linkname="/etc/passwd"), LOST),
    "device.tar": (member("axpy.cu", kind=tarfile.CHRTYPE, devmajor=1, devminor=5), LOST),
    "sparse.tar": (pax(b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n") + TAR, f"{GRADED}|{LOST}"),
    "endless.tar": (member("zeros", size=1 << 50), LARGE),
    "backwards.tar": (member("zeros", size=-1024) + TAR, LOST),
    "digits.tar": (pax(b"1" * (1 << 16) + b" size=1\n") + TAR, LARGE),
    "search.tar": (pax(b"1" * (4 << 20)) + TAR, f"{LOST}|{LARGE}"),
    "many.tgz": (gzip.compress(b"".join(member(str(i)) for i in range(20100)), 1), LARGE),
    "again.tar.gz": (gzip.compress(gzip.compress(TAR)), LOST),
    "half.tar": (TAR + member("rot.cu", bytes(9000))[:3000], GRADED),
    "ends-in-zip.tar": (TAR + member("other.zip", zipped(("axpy.cu", OTHER))), GRADED),
}

# ---- clones --------------------------------------------------------------------------------------------------------


def git(folder: str, *words: str, data: bytes = b"") -> str:
    command = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"] + list(words)
    return (
        subprocess.run(command, input=data, capture_output=True, check=True, env={**os.environ, **IDENTITY})
        .stdout.decode()
        .strip()
    )


def write(path, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def head(clone: str, text: str) -> None:
    write(f"{clone}/.git/HEAD", text.encode() + b"\n")


def commit_of_tree(clone: str, rows: bytes) -> None:
    """Checks out a commit whose tree has these rows, which git itself would not write."""
    tree = git(clone, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=rows)
    head(clone, git(clone, "commit-tree", tree, "-m", "x"))


def row(mode: str, name: bytes, hexadecimal: str) -> bytes:
    return mode.encode() + b" " + name + b"\0" + bytes.fromhex(hexadecimal)


def deep_tree(clone: str) -> None:
    """Ten trees in each other, each with ten rows for the next one: 10^10 files of 20 objects."""
    rows = row("100644", b"axpy.cu", git(clone, "hash-object", "-w", "--stdin", data=OTHER))
    for _ in range(10):
        tree = git(clone, "hash-object", "-t", "tree", "-w", "--stdin", data=rows)
        rows = b"".join(row("40000", b"%d" % i, tree) for i in range(10))
    commit_of_tree(clone, rows)


def odd_tree(clone: str) -> None:
    blob = git(clone, "hash-object", "-w", "--stdin", data=OTHER)
    commit_of_tree(
        clone, b"".join(row("100644", name, blob) for name in (b"../axpy.cu", b"a\nb/axpy.cu", b"\xff/axpy.cu"))
    )


def replaced(clone: str) -> None:
    """Another commit is to be taken in the place of this one."""
    first = git(clone, "rev-parse", "HEAD")
    write(f"{clone}/axpy.cu", OTHER)
    git(clone, "commit", "-qam", "two")
    git(clone, "replace", first, git(clone, "rev-parse", "HEAD"))
    git(clone, "reset", "-q", "--hard", first)


def shallow(clone: str) -> None:
    """Only the last commit was fetched, as build services do."""
    write(f"{clone}/axpy.cu", GOOD + b"//\n")
    git(clone, "commit", "-qam", "two")
    last, before = git(clone, "rev-parse", "HEAD", "HEAD~").split()
    write(f"{clone}/.git/shallow", last.encode() + b"\n")
    os.unlink(f"{clone}/.git/objects/{before[:2]}/{before[2:]}")


def moved_objects(clone: str) -> None:
    os.rename(f"{clone}/.git/objects", f"{clone}/objects")
    write(f"{clone}/.git/objects/info/alternates", os.path.abspath(f"{clone}/objects").encode())


def linked(clone: str) -> None:
    os.rename(f"{clone}/.git", f"{clone}/git")
    os.symlink("git", f"{clone}/.git")


def pointed(clone: str) -> None:
    os.rename(f"{clone}/.git", f"{clone}/git")
    write(f"{clone}/.git", b"gitdir: git\n")


def same_names(clone: str) -> None:
    blob = git(clone, "hash-object", "-w", "--stdin", data=OTHER)
    commit_of_tree(clone, row("100644", b"axpy.cu", blob) * 15000)


def other_hash(clone: str) -> None:
    shutil.rmtree(f"{clone}/.git")
    git(clone, "init", "-q", "--object-format=sha256")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "one")


def promised(clone: str) -> None:
    """Git fetches the objects that are missing in such a pack."""
    git(clone, "repack", "-adq")
    pack = glob.glob(f"{clone}/.git/objects/pack/*.pack")[0]
    write(pack[: -len("pack")] + "promisor", b"")
    os.truncate(pack, 60)
    settings = '[extensions]\npartialClone = o\n[remote "o"]\nurl = ext::touch /tmp/warpup-attack\npromisor = true\n'
    write(f"{clone}/.git/config", settings.encode())


CLONES = {
    "c-alternates": (moved_objects, LOST),
    "c-link": (linked, LOST),
    "c-file": (pointed, LOST),
    "c-up": (lambda clone: head(clone, "ref: refs/heads/../../../c-good/.git/HEAD"), LOST),
    "c-option": (lambda clone: head(clone, "--output=/tmp/warpup-attack"), LOST),
    "c-tree": (lambda clone: head(clone, git(clone, "rev-parse", "HEAD^{tree}")), LOST),
    "c-deep": (deep_tree, LARGE),
    "c-odd": (odd_tree, "graded,3,"),
    "c-same-names": (same_names, "double,,"),
    "c-other-hash": (other_hash, GRADED),
    "c-promised": (promised, LOST),
    "c-replaced": (replaced, GRADED),
    "c-shallow": (shallow, GRADED),
    "c-graph": (
        lambda clone: write(f"{clone}/.git/objects/info/commit-graph", b"CGPH\1\1\4\0" + b"\xff" * 200),
        GRADED,
    ),
    "c-index": (lambda clone: write(f"{clone}/.git/objects/pack/pack-0.idx", b"\xfftOc" + bytes(4000)), GRADED),
    "c-sparse": (lambda clone: os.truncate(f"{clone}/.git/HEAD", 1 << 40), LARGE),
}

# ---- names and folders ---------------------------------------------------------------------------------------------

# The name of the folder, and what the student is called then.
NAMES = {
    b"-rf": "_rf",
    b"--help": "_help",
    b"a\nb": "a_b",
    b"\x1b[31mred": "__31mred",
    "\u202egnp.cu".encode(): "_gnp.cu",
    b"\xff\xfe": "__",
    "Zo\u00eb".encode(): "Zo\u00eb-2",
    "Zoe\u0308".encode(): "Zo\u00eb",
    b"Case": "Case",
    b"case": "case-2",
    b"=cmd|' calc'!A0": "_cmd__ calc__A0",
    b'@SUM(1);"x"': "_SUM_1___x_",
    "\u212a".encode(): "K",
    b"k": "k-2",
    b"dup-2": "dup-2-2",
    b"dup": "dup-2",
    b"DUP": "DUP",
    b"<img src=x onerror=alert(1)>": "_img src_x onerror_alert_1__",
    b"x" * 255: "x" * 200,
}


def deep(folder: str) -> None:
    write(folder + "/d" * 40 + "/axpy.cu", OTHER)


def wide(folder: str) -> None:
    for i in range(20100):
        os.makedirs(f"{folder}/{i}")


def loop(folder: str) -> None:
    os.symlink(".", f"{folder}/ex01_axpy")


def sparse(folder: str) -> None:
    write(f"{folder}/axpy.cu", b"")
    os.truncate(f"{folder}/axpy.cu", 1 << 40)


def named_folder(folder: str) -> None:
    write(f"{folder}/axpy.cu/axpy.cu", GOOD)


FOLDERS = {
    "f-deep": (deep, LARGE),
    "f-wide": (wide, LARGE),
    "f-loop": (loop, "missing,,"),
    "f-sparse": (sparse, LARGE),
    "f-device": (lambda folder: os.mknod(f"{folder}/axpy.cu", 0o020666, os.makedev(1, 5)), LOST),
    "f-folder": (named_folder, GRADED),
}


def main() -> None:
    for name, (data, expected) in ARCHIVES.items():
        write(f"{FROM}/{name}", data)
        say(name.split(".")[0], expected)
    for name, (attack, expected) in {"c-good": (lambda clone: None, GRADED), **CLONES}.items():
        write(f"{FROM}/{name}/axpy.cu", GOOD)
        git(f"{FROM}/{name}", "init", "-q")
        git(f"{FROM}/{name}", "add", ".")
        git(f"{FROM}/{name}", "commit", "-qm", "one")
        attack(f"{FROM}/{name}")
        say(name, expected)
    for name, called in NAMES.items():
        write(f"{FROM}/".encode() + name + b"/axpy.cu", GOOD)
        say(called, GRADED)
    for name, (attack, expected) in FOLDERS.items():
        os.makedirs(f"{FROM}/{name}")
        try:
            attack(f"{FROM}/{name}")
            say(name, expected)
        except PermissionError:  # only root may make a device
            say(name, "missing,,")
    for name in ("aaa", "mmm", "zzz"):
        write(f"{FROM}/{name}/axpy.cu", GOOD)
        say(name, GRADED)


main()
