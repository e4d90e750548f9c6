"""junit.py: whether a JUnit file has the form that Windy Road's schema of Ant's format asks for.

    junit.py FILE      exit code 1, with the first fault, if it has not

The schema itself is not part of the lab: test/schemas validates with it.
"""

import re
import sys
import xml.etree.ElementTree as xml

SUITE = set("id package name timestamp hostname tests failures errors skipped time".split())
RESULTS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def check(root):
    assert root.tag == "testsuites" and not root.attrib and len(root) > 0, root.attrib
    for number, suite in enumerate(root):
        assert suite.tag == "testsuite" and set(suite.attrib) == SUITE, suite.attrib
        assert suite.get("id") == str(number), suite.attrib
        assert all(suite.get(name).strip() for name in ("name", "hostname")), suite.attrib
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp")), suite.attrib
        assert re.fullmatch(r"\d+(\.\d+)?", suite.get("time")), suite.attrib
        cases = suite.findall("testcase")
        parts = ["properties"] + ["testcase"] * int(suite.get("tests")) + ["system-out", "system-err"]
        assert [part.tag for part in suite] == parts, [part.tag for part in suite]
        for name, tag in RESULTS.items():
            assert int(suite.get(name)) == sum(case.find(tag) is not None for case in cases), (name, suite.attrib)
        for case in cases:
            assert set(case.attrib) == {"name", "classname", "time"} and case.get("name").strip(), case.attrib
            assert len(case) <= 1 and all(part.tag in RESULTS.values() for part in case), case.attrib
            assert all(part.get("type") or part.tag == "skipped" for part in case), case.attrib
            assert all(set(part.attrib) <= {"type", "message"} for part in case), case.attrib


check(xml.parse(sys.argv[1]).getroot())
