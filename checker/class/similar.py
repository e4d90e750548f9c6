"""similar: which programs are suspiciously alike.

The method is winnowing (Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD 2003),
on tokens without comments, names, numbers and texts: renaming, reordering of functions and new comments change nothing. Of
the hashes of all runs of K tokens, the smallest of each W neighbours is kept. So two programs that share K + W - 1 tokens
share a fingerprint, and no match shorter than K tokens counts. What the starter has, and what many of the class have,
does not count, because all programs of an exercise grow from one starter along one ladder.

A program that is a copy of another one is found before that, however many have it: `copies` compares whole programs.

That two programs are alike proves nothing: two students may follow the same hint. The page says so.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Tuple

K = 12  # tokens: about two lines of C; shorter runs, such as a loop's head, are in every program
W = 8  # so 19 tokens, about three lines, are always found
COMMON_SHARE = 0.1  # a passage in more than this part of the class is what the exercise asks for
COMMON_MIN = 3  # and one in up to three programs counts in a small class too
FINGERPRINTS_MIN = 8  # of the smaller program: with fewer, a share says nothing
SHARED_MIN = 6  # passages that two programs share: some 20 lines
ALIKE_SHARE = 0.5  # half of what is a program's own is also in the other one

TOKEN = re.compile(
    r"""(?P<gap>\s+|//(?:\\\n|[^\n])*|/\*.*?\*/|/\*.*\Z)
    |(?P<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
    |(?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign><<<|>>>|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|<<|>>|::|.)""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = set(
    "auto bool break case char class const continue default do double else enum extern float for goto".split()
    + "if inline int long namespace register return short signed sizeof static struct switch template".split()
    + "typedef typename union unsigned using void volatile while define include ifdef ifndef endif pragma".split()
    + "__global__ __device__ __shared__ __restrict__ __host__ __constant__ __syncthreads".split()
    + "threadIdx blockIdx blockDim gridDim".split()
)


# Two programs are copies if they are the same without these; the smallest such difference first.
DIFFERENCES = ("nothing", "comments and spaces", "names, numbers, texts, comments and spaces")


@dataclass
class Copies:
    """Programs, by their index, that differ only in `apart_from`, one of DIFFERENCES. Of those that differ in less, which is
    a group of its own, only the first is listed; the others are `more`."""

    programs: List[int]
    apart_from: str
    more: int


@dataclass
class Pair:
    """Two programs, by their index. `share` of the smaller one's own fingerprints are in the other one too."""

    first: int
    second: int
    share: float
    shared: int


def written(text: str) -> List[str]:
    """The tokens of a program as they are written."""
    return [match.group() for match in TOKEN.finditer(text) if match.lastgroup != "gap"]


def tokens(text: str) -> List[str]:
    """The tokens of a program: N stands for any name, 1 for any number, "" for any text."""
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup == "word":
            found.append(match.group() if match.group() in KEYWORDS else "N")
        elif match.lastgroup != "gap":
            found.append({"text": '""', "number": "1"}.get(match.lastgroup or "", match.group()))
    return found


def short(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def remembered(function: Callable[[str], Any]) -> Callable[[str], Any]:
    """The function, which computes each result once. It keeps no text: those of a class would fill the memory."""
    known: Dict[bytes, Any] = {}

    def recall(text: str) -> Any:
        key = short(text)
        if key not in known:
            known[key] = function(text)
        return known[key]

    return recall


@remembered
def forms(text: str) -> Tuple[bytes, bytes, bytes]:
    """A program without each of DIFFERENCES, as hashes."""
    return short(text), short("\0".join(written(text))), short("\0".join(tokens(text)))


def is_copy(first: str, second: str) -> bool:
    """True if two programs differ only in comments and spaces."""
    return forms(first)[1] == forms(second)[1]


def copies(programs: List[str], starter: str) -> List[Copies]:
    """The groups of programs that are copies of each other. The starter, with new names too, does not count."""
    found = []
    for level, difference in enumerate(DIFFERENCES):
        groups: Dict[bytes, List[int]] = defaultdict(list)
        for index, program in enumerate(programs):
            groups[forms(program)[level]].append(index)
        for form, group in groups.items():
            listed = group if level == 0 else firsts(group, programs, level - 1)
            if len(listed) > 1 and form != forms(starter)[level]:
                found.append(Copies(listed, difference, len(group) - len(listed)))
    return found


def firsts(group: List[int], programs: List[str], level: int) -> List[int]:
    """Of the programs of a group that are copies on this level, the first."""
    known: Dict[bytes, int] = {}
    for index in group:
        known.setdefault(forms(programs[index])[level], index)
    return list(known.values())


@remembered
def fingerprints(text: str) -> "array[int]":
    """The smallest hash of each W neighbouring runs of K tokens."""
    words = tokens(text)
    hashes = [zlib.crc32(" ".join(words[i : i + K]).encode()) for i in range(max(0, len(words) - K + 1))]
    starts = range(max(1, len(hashes) - W + 1)) if hashes else ()
    return array("L", sorted({min(hashes[i : i + W]) for i in starts}))


def own_fingerprints(programs: List[str], starter: str) -> List["array[int]"]:
    """Per program, the fingerprints that neither the starter nor many others have."""
    known = set(fingerprints(starter))
    prints = [array("L", (value for value in fingerprints(program) if value not in known)) for program in programs]
    holders: Dict[int, int] = defaultdict(int)
    for one in prints:
        for value in one:
            holders[value] += 1
    most = common_from(programs)
    return [array("L", (value for value in one if holders[value] <= most)) for one in prints]


def common_from(programs: List[str]) -> int:
    """A passage that more programs than this have is what the exercise asks for. Copies count once."""
    return max(COMMON_MIN, int(COMMON_SHARE * len({forms(program)[-1] for program in programs})))


def alike(programs: List[str], starter: str) -> List[Pair]:
    """The pairs of programs that share most, first those that share all. Of copies, the first stands for all."""
    single = firsts(list(range(len(programs))), programs, len(DIFFERENCES) - 1)
    pairs = alike_of_single([programs[index] for index in single], starter)
    return [Pair(single[pair.first], single[pair.second], pair.share, pair.shared) for pair in pairs]


def alike_of_single(programs: List[str], starter: str) -> List[Pair]:
    """The pairs of programs of which none is a copy of another one."""
    own = own_fingerprints(programs, starter)
    holders: Dict[int, List[int]] = defaultdict(list)
    for index, values in enumerate(own):
        for value in values:
            holders[value].append(index)
    shared: Dict[Tuple[int, int], int] = defaultdict(int)
    for indices in holders.values():
        for place, first in enumerate(indices):
            for second in indices[place + 1 :]:
                shared[first, second] += 1
    pairs = []
    for (first, second), count in shared.items():
        smaller = min(len(own[first]), len(own[second]))
        if smaller >= FINGERPRINTS_MIN and count >= max(SHARED_MIN, ALIKE_SHARE * smaller):
            pairs.append(Pair(first, second, count / smaller, count))
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.shared, pair.first, pair.second))


def unusual(programs: List[str], starter: str) -> List[float]:
    """Per program, the part of its fingerprints that no other program and not the starter has; 0 for a very short one."""
    prints = [fingerprints(program) for program in programs]
    holders: Dict[int, int] = defaultdict(int)
    for one in prints + [fingerprints(starter)]:
        for value in one:
            holders[value] += 1
    return [
        sum(holders[value] == 1 for value in one) / len(one) if len(one) >= FINGERPRINTS_MIN else 0.0 for one in prints
    ]
