#!/usr/bin/env python3
"""Check what the Markdown files promise: relative links and their anchors exist, and so do the commands of README.

Usage: check_docs.py [--program build/release/watersmeet] [ROOT]

With --program, every subcommand that a code block of README.md calls (`watersmeet X` or `./wm X`) must be listed by
`watersmeet --help`. Prints every offence as file:line: text, and exits 1 when there is any.
"""
import argparse
import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)")
CALL = re.compile(r"^\s*(?:\$\s+)?(\./wm|watersmeet)\s+([a-z][\w-]*)")
WM_OWN = {"test", "build", "help"}
SKIPPED_FOLDERS = {"build", "runs", ".git", ".cache"}


def lines_of(path):
    """(number, line, whether inside a fenced code block) of a Markdown file; the fences themselves are left out."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        else:
            yield number, line, fenced


def anchors(path):
    """Anchors of the headings, made as GitHub makes them."""
    headings = (line.lstrip("#").strip() for _, line, fenced in lines_of(path) if not fenced and line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_offences(path, root):
    for number, line, fenced in lines_of(path):
        if fenced:
            continue
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (root / file[1:] if file.startswith("/") else path.parent / file) if file else path
            if not there.exists():
                yield path, number, f"link to {target}: no such file"
            elif anchor and there.suffix == ".md" and anchor not in anchors(there):
                yield path, number, f"link to {target}: no such heading"


def command_offences(readme, program):
    shown = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    known = {line.split()[0] for line in shown.splitlines() if line.startswith(" ") and line.split()}
    for number, line, fenced in lines_of(readme):
        call = CALL.match(line) if fenced else None
        if call and call[2] not in known and not (call[1] == "./wm" and call[2] in WM_OWN):
            yield readme, number, f"{call[1]} {call[2]}: `watersmeet --help` lists no such subcommand"


def main():
    parser = argparse.ArgumentParser(description="Check links and commands of the documentation.")
    parser.add_argument("--program")
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).parents[1], type=pathlib.Path)
    given = parser.parse_args()
    root = given.root.resolve()
    pages = sorted(p for p in root.rglob("*.md") if not SKIPPED_FOLDERS & set(p.relative_to(root).parts))
    found = [offence for page in pages for offence in link_offences(page, root)]
    if given.program:
        found += command_offences(root / "README.md", given.program)
    for path, number, text in found:
        print(f"{path.relative_to(root)}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
