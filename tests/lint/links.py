#!/usr/bin/env python3
"""links.py [DIRECTORY]: checks the site of the manual, which it makes if no directory is given.

Every link leads to a page and an anchor of the site, no anchor is there twice, the rows of the
search index have anchors, and nothing is loaded from elsewhere.
"""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

MAKE = pathlib.Path(__file__).resolve().parents[2] / "cmd" / "site" / "make-site"


class Links(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors = [""]
        self.followed = []
        self.loaded = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.append(value)
            elif name in ("href", "src"):
                (self.followed if tag == "a" else self.loaded).append(value)


def faults_of(folder):
    pages = {path.name: Links(path) for path in folder.glob("*.html")}
    text = (folder / "search-index.js").read_text(encoding="utf-8")
    rows = json.loads(text.removeprefix("const MANUAL = ").rstrip(";\n"))
    links = [("search-index.js", f"{page['file']}#{urllib.parse.quote(row[0])}")
             for page in rows for row in page["rows"]]
    for name, page in pages.items():
        links += [(name, link) for link in page.followed if not link.startswith("https://")]
        for anchor in sorted({a for a in page.anchors if page.anchors.count(a) > 1}):
            yield f"{name}: the anchor {anchor} is there twice"
        for file in page.loaded:
            if file != "data:," and not (folder / file).is_file():
                yield f"{name} loads {file}"
    for name, link in links:
        file, _, anchor = link.partition("#")
        target = pages.get(file or name)
        if not target or urllib.parse.unquote(anchor) not in target.anchors:
            yield f"{name}: nothing is at {link}"
    for path in folder.glob("manual.css"), folder.glob("search.js"):
        for file in path:
            if re.search(r"url\(|@import|https?:|fetch\(|innerHTML", file.read_text()):
                yield f"{file.name} loads something, or makes markup of text"


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else made)
        if len(sys.argv) == 1:
            subprocess.run([MAKE, folder], check=True)
        faults = list(faults_of(folder))
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
