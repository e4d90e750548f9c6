"""pages: what all pages for instructors share: their head and their style. A page is one file that loads nothing."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import Iterable, List

STYLE = """
:root { --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --panel: #f3f5f7; --line: #d0d7de;
  --bar: #2f6f9f; --mark: #fff1c2; --bad: #a02020; color-scheme: light; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a5afba; --paper: #14181d; --panel: #1d232a;
  --line: #3a434d; --bar: #6cb0de; --mark: #4a3c10; --bad: #ff9a90; color-scheme: dark; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
p { margin: .4rem 0; max-width: 48rem; } .soft { color: var(--soft); } .bad { color: var(--bad); }
a { color: inherit; text-decoration: underline; } code, pre { font: .86rem/1.45 ui-monospace, monospace; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 2.5rem; }
.dense h2 { margin-top: .75rem; padding-top: .6rem; } .dense h3 { margin-top: .25rem; } .small { display: grid; gap: 0 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.small section { min-width: 0; } .dense .figures { margin: .25rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .94rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); } td.number, th.number { text-align: right; white-space: nowrap; }
td.name { overflow-wrap: anywhere; min-width: 7rem; }
@media (max-width: 48rem) { thead { display: none; }
  tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td, td.number { display: block; border: 0; padding: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  td::before { content: attr(data-heading) ": "; color: var(--soft); } }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures b { font-size: 1.5rem; display: block; line-height: 1.2; }
pre { background: var(--panel); padding: .75rem; overflow-x: auto; margin: .4rem 0; border-radius: .3rem; }
mark { background: var(--mark); color: inherit; } svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
svg .bar { fill: var(--bar); } svg .line { stroke: var(--line); } svg .dot { fill: var(--bar); fill-opacity: .55; }
details summary { cursor: pointer; }
.corner { float: right; margin: .5rem 0 0 1rem; } button { font: inherit; padding: .25rem .75rem; color: inherit;
  background: var(--panel); border: 1px solid var(--line); border-radius: .3rem; cursor: pointer; }
"""


def page(title: str, body: Iterable[str], script: str = "") -> str:
    """A whole page. Its script, if it has one, is the only one that a browser runs there."""
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = "default-src 'none'; style-src 'unsafe-inline'" + (f"; script-src 'sha256-{allowed}'" if script else "")
    head = [
        "<!doctype html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>",
        "<body><main>",
    ]
    end = ["</main>"] + ([f"<script>{script}</script>"] if script else []) + ["</body></html>"]
    return "\n".join(head + list(body) + end) + "\n"


def table(caption: str, headings: List[str], rows: List[List[str]], numbers: Iterable[int] = ()) -> str:
    """A table of cells that are HTML already. On a narrow page each cell has a line of its own, after its heading."""
    right = set(numbers)

    def cells(tag: str, row: List[str]) -> str:
        more = [' scope="col"' if tag == "th" else f' data-heading="{escape(heading)}"' for heading in headings]
        kinds = [
            ' class="number"' if i in right else ' class="name"' if tag == "td" and i == 0 else ""
            for i in range(len(row))
        ]
        return (
            "<tr>" + "".join(f"<{tag}{kind}{say}>{cell}</{tag}>" for kind, say, cell in zip(kinds, more, row)) + "</tr>"
        )

    body = "\n".join(cells("td", row) for row in rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<thead>{cells('th', [escape(heading) for heading in headings])}</thead><tbody>\n{body}\n</tbody></table></div>"
    )


def plural(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
