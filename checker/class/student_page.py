"""student_page: the page of one student's work on one exercise: the verdict, and the program with the lines to look at.

It names no other student, so that it can be given back.
"""

from __future__ import annotations

from html import escape
from typing import Dict, List
from urllib.parse import quote

from outcome import Outcome
from pages import page
from points import number

LINES_MAX = 3000  # of a program: what is longer was not written by hand


def student_page(one: Outcome) -> str:
    result = one.state if one.rung is None else f"rung {one.rung} of {one.verdict['rungs']}"
    if one.perhaps is not None:
        result += f", perhaps {one.perhaps}"
    if one.points is not None:
        result += f", {number(one.points)} of {number(one.most)} points"
    body = [f"<h1>{escape(one.student)} · {escape(one.exercise)}</h1>", f"<p>{escape(result)}</p>"]
    if one.source:
        body.append(f'<p class="soft">{escape(one.proof)}</p>')
    if one.view:
        body.append(f'<p><a href="{quote(one.exercise)}.view.html">What each warp of the program did</a></p>')
    if one.remarks():
        body += ["<h2>Seen</h2>", "<ul>"] + [f"<li>{escape(remark)}</li>" for remark in one.remarks()] + ["</ul>"]
    if one.pretty:
        body += ["<h2>What a check says</h2>", f'<pre tabindex="0">{escape(one.pretty)}</pre>']
    if one.source:
        body += ["<h2>The program</h2>", program(one)]
    return page(f"{one.student} · {one.exercise}", body)


def program(one: Outcome) -> str:
    """The program with line numbers; below a line that a diagnosis names, the diagnosis."""
    about: Dict[int, List[str]] = {}
    for diagnosis in (one.verdict or {}).get("diagnoses") or []:
        if isinstance(diagnosis.get("line"), int):
            about.setdefault(diagnosis["line"], []).append(f"{diagnosis['name']}: {diagnosis.get('text', '')}")
    lines = one.source.splitlines()
    text = []
    for count, line in enumerate(lines[:LINES_MAX], 1):
        row = f"{count:5}  {escape(line)}"
        text.append(f"<mark>{row}</mark>" if count in about else row)
        text += [f'<span class="bad">       {escape(what)}</span>' for what in about.get(count, [])]
    if len(lines) > LINES_MAX:
        text.append(f"       … {len(lines) - LINES_MAX} more lines")
    return '<pre tabindex="0">' + "\n".join(text) + "</pre>"
