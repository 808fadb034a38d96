#!/usr/bin/env python3
"""Find blocks of code that are in two files of src/.

    tools/repeated_lines.py                       prints every block of at least 12 equal lines that two files share, longest first
    tools/repeated_lines.py --systems             only blocks that two systems (folders of src/systems/) share
    tools/repeated_lines.py --fold                identifiers count as equal, for blocks that differ in names only
    tools/repeated_lines.py --lines 20 src/mesh src/solve    another length; only these folders and files
    tools/repeated_lines.py --root DIRECTORY      another checkout

Lines are compared without comments and white space; lines that are empty then, and includes, do not count. A line of the output is:
number of equal lines, then file and range of lines for both places. Exit status 1 when two systems share a block, whatever else is printed.
"""
import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = {".hpp", ".cpp", ".cu"}
# A string or character constant, or a comment: a comment's marks inside a string are no comment.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.S)
WORD = re.compile(r'"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*')
KEYWORDS = frozenset("""auto bool break case catch class const constexpr continue default do double else enum explicit false float
    for if inline int long namespace new noexcept nullptr operator private public requires return short signed sizeof static
    static_assert struct switch template this throw true try typename union unsigned using virtual void while""".split())


def without_comment(match):
    """The matched text, of a comment only its line ends, so that numbers of lines stay."""
    text = match[0]
    return "\n" * text.count("\n") if text.startswith(("//", "/*")) else text


def code_lines(text, fold):
    """What is compared of a source text: a list of (line without comments and white space, its number, from 1)."""
    found = []
    for number, line in enumerate(TOKEN.sub(without_comment, text).split("\n"), 1):
        if fold:
            line = WORD.sub(lambda word: word[0] if word[0] in KEYWORDS else "x", line)
        line = "".join(line.split())
        if line and not line.startswith("#include"):
            found.append((line, number))
    return found


def repeated_blocks(files, length, compared):
    """Blocks of at least `length` equal lines in two files that cannot be made longer, longest first.

    Of blocks of the same two files that overlap in one of them (the rows of a table, with `fold`) only the first is kept. `files` maps a name to the result of code_lines(); `compared(a, b)` says whether two names are compared at all. Returns a list of
    (number of equal lines, name, first line, last line, name, first line, last line).
    """
    places = collections.defaultdict(list)
    for name, lines in files.items():
        for start in range(len(lines) - length + 1):
            places[tuple(line for line, _ in lines[start:start + length])].append((name, start))
    blocks = []
    for same in places.values():
        for index, (a, i) in enumerate(same):
            for b, j in same[index + 1:]:
                before = i > 0 and j > 0 and files[a][i - 1][0] == files[b][j - 1][0]
                if a == b or before or not compared(a, b):
                    continue
                count = length
                while i + count < len(files[a]) and j + count < len(files[b]) and \
                        files[a][i + count][0] == files[b][j + count][0]:
                    count += 1
                blocks.append((count, a, files[a][i][1], files[a][i + count - 1][1],
                               b, files[b][j][1], files[b][j + count - 1][1]))
    kept = []
    taken = collections.defaultdict(set)
    for block in sorted(blocks, key=lambda block: (-block[0], *block[1:])):
        _, a, first, last, b, first_there, last_there = block
        lines = {(a, line) for line in range(first, last + 1)} | {(b, line) for line in range(first_there, last_there + 1)}
        if not lines & taken[a, b]:
            taken[a, b] |= lines
            kept.append(block)
    return kept


def system_of(name):
    """The system that a file such as src/systems/NAME/file.cpp belongs to, else None."""
    parts = pathlib.PurePath(name).parts
    return parts[2] if parts[:2] == ("src", "systems") and len(parts) > 3 else None


def two_systems(a, b):
    return system_of(a) is not None and system_of(b) is not None and system_of(a) != system_of(b)


def main():
    parser = argparse.ArgumentParser(description="Find blocks of code that are in two files of src/.")
    parser.add_argument("paths", nargs="*", default=["src"], help="folders and files, relative to the checkout; src by default")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the checkout; the one of this script by default")
    parser.add_argument("--systems", action="store_true", help="compare only files of different systems")
    parser.add_argument("--fold", action="store_true", help="take all identifiers and texts as equal")
    parser.add_argument("--lines", type=int, default=12, help="the shortest block, 12 by default")
    arguments = parser.parse_args()
    files = {}
    for given in arguments.paths:
        path = arguments.root / given
        if not path.exists():
            parser.error(f"{given}: no such file or folder in {arguments.root}")
        for source in [path] if path.is_file() else sorted(path.rglob("*")):
            if source.suffix in SOURCES:
                files[source.relative_to(arguments.root).as_posix()] = code_lines(source.read_text(encoding="utf-8"), arguments.fold)
    compared = two_systems if arguments.systems else lambda a, b: True
    blocks = repeated_blocks(files, max(arguments.lines, 1), compared)
    for count, a, first, last, b, first_there, last_there in blocks:
        print(f"{count} lines: {a}:{first}-{last} and {b}:{first_there}-{last_there}")
    return 1 if any(two_systems(block[1], block[4]) for block in blocks) else 0


if __name__ == "__main__":
    sys.exit(main())
