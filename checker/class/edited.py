"""edited: tables that people change with an editor or a spreadsheet, as these write them: in UTF-8, UTF-16 or Windows's
alphabet, with any line ends, with tabs, semicolons or commas between the cells, and with quotation marks around them.
"""

from __future__ import annotations

import codecs
import csv
import os
import re
import sys
from typing import Iterator, List, Tuple

from store import write_whole

MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


OTHER_ENDS = (".csv", ".txt")  # a spreadsheet saves a table under such a name, beside the one that it has read


class BadTable(Exception):
    """A table that cannot be used; its text says where and why."""


def forms_of(path: str) -> List[str]:
    stem = os.path.splitext(path)[0]
    return [one for one in (path, *(stem + end for end in OTHER_ENDS)) if os.path.isfile(one)]


def newest(path: str) -> str:
    """The table of this name, or what a spreadsheet has saved beside it since then."""
    return max(forms_of(path), key=os.path.getmtime, default=path)


def newest_said(path: str) -> str:
    """The same, and says so where there are others."""
    last = newest(path)
    for other in forms_of(path):
        if other != last:
            print(f"note: {last} counts, which is newer than {os.path.basename(other)}", file=sys.stderr)
    return last


def read_edited(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadTable(f"{path}: it cannot be read: {error.strerror}") from None
    return data.decode(encoding_of(data), errors="replace")


def encoding_of(data: bytes) -> str:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return encoding
    if b"\0" in data[:2]:  # UTF-16 without a mark: the tables begin with a letter of ASCII
        return "utf-16-be" if data[0] == 0 else "utf-16-le"
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        return "cp1252"


def rows(text: str, heading: str, separators: str = "\t;,") -> Iterator[Tuple[int, List[str]]]:
    """The cells of each row with its number, but for comments, the row with the headings, and empty ones. Empty cells at the
    end of a row are left out: a spreadsheet adds them."""
    for count, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        separator = separator_of(line, separators)
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
        if separator == " ":
            cells = line.split()
        while cells and not cells[-1]:
            cells.pop()
        if cells and cells[0] != heading and not cells[0].startswith("#"):
            yield count, cells


def separator_of(line: str, separators: str) -> str:
    return next((one for one in separators if one in line), "\t")


def add_rows(path: str, text: str, new: List[List[str]]) -> None:
    """Writes the table with more rows at its end, separated as the last one. A spreadsheet needs the mark to see that it is
    UTF-8; one that has saved the table in another alphabet may not look for it otherwise."""
    last = re.split(r"\r\n|\r|\n", text.rstrip())[-1]
    separator = separator_of(last, "\t;")
    with open(path, "rb") as file:
        mark = "" if encoding_of(file.read()) == "utf-8" else "\ufeff"
    write_whole(path, mark + text.rstrip("\r\n") + "\n" + "".join(separator.join(row) + "\n" for row in new))
