#!/usr/bin/env python3
"""The records of a release: which there are, of which commit, and how many commits they are behind the kernels of their system.

    tools/records.py                  prints a table
    tools/records.py --write          writes it as validation/records.md
    tools/records.py --warn [N]       a line for each system with records that are more than N commits behind (20 when not given), are
                                      missing, or of no known commit. The exit status is 0 all the same: a change cannot make records, which
                                      need a GPU
    tools/records.py --root DIR       of another tree than this one

A record carries the commit that it was made with: `commit` of a JSON file of `bench` or of a piece of a paper, the first line "# ...; commit HASH, DEVICE, DATE" of a
text that tools/gpu/validate.sh makes, which is also that of the picture that is made with it; of others validation/made-at.txt has it. tools/gpu/records.txt
lists what there should be. The kernels of a system are the headers that the files with its loops include, directly or through another
(cmake/loops.cpp.in), and the files with CUDA or loops of their own beside them, those of src/solve too where a system uses a solver. `behind` counts the commits from that of the record to the
last one that changed one of them, comments left out; 0 where none did since.
"""
import argparse
import dataclasses
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys

LOOPS = re.compile(r"variants\.hpp$|\.cuh?$|_cuda\.[a-z]+$|_cpu\.cpp$")
SOLVER = re.compile(r'^#include "solve/', re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MADE = re.compile(r"^# .*\bcommit ([0-9a-f]{7,40})( with local changes)?(?:[,)] *([^,]+), (\d{4}-\d\d-\d\d))?")
PICTURE = re.compile(r' "=>" (\S+)')
CODE = r"^[[:space:]]*([^/[:space:]]|/[^/])"  # a line that is not empty and no comment alone
FOLDERS = ("validation", "bench/results")
ENDINGS = {".txt", ".json", ".png", ".csv", ".md"}
NOT_RECORDS = ("validation/data/*", "validation/reference/*", "*README.md", "validation/sources.md", "validation/records.md",
               "validation/made-at.txt", "validation/references/*",
               "validation/papers/*/figures/*")  # their pieces have results beside them


class Tree:
    """A checkout with its history."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def git(self, *words):
        return subprocess.run(["git", "-C", str(self.root), *words], capture_output=True, text=True)

    @property
    def has_history(self):
        """Whether commits can be counted: not in a shallow clone, nor in a copy of the sources."""
        found = self.git("rev-parse", "--is-shallow-repository")
        return found.returncode == 0 and found.stdout.strip() == "false"

    @functools.cached_property
    def files(self):
        return self.git("ls-files", "-z").stdout.split("\0")[:-1]

    @functools.cached_property
    def systems(self):
        return sorted({path.parent.relative_to(self.root / "src/systems").parts[0] for path in (self.root / "src/systems").rglob("*variants.hpp")})

    def closure(self, files):
        """Files of src/ and all headers there that they include, directly or through another, relative to the root."""
        seen, ahead = set(), [pathlib.Path(file) for file in files]
        while ahead:
            file = ahead.pop()
            if file in seen:
                continue
            seen.add(file)
            for name in INCLUDE.findall((self.root / file).read_text(encoding="utf-8")):
                for found in (pathlib.Path("src") / name, file.parent / name):
                    if (self.root / found).exists():
                        ahead.append(found)
                        break
        return sorted(map(str, seen))

    @functools.lru_cache(maxsize=None)
    def kernels(self, system):
        """The sources of the kernels of a system; of "all" those of all systems."""
        if system == "all":
            return sorted({file for name in self.systems for file in self.kernels(name)})
        folder = f"src/systems/{system}/"
        own = [file for file in self.files if file.startswith(folder) and LOOPS.search(file)]
        # Solvers have loops of their own, behind headers that do not include them.
        if any(SOLVER.search((self.root / file).read_text(encoding="utf-8")) for file in self.files if file.startswith(folder) and file.endswith("pp")):
            own += [file for file in self.files if file.startswith("src/solve/") and LOOPS.search(file)]
        return self.closure(own)

    @functools.lru_cache(maxsize=None)
    def last_change(self, system):
        """The last commit that changed a kernel of the system, in a line that is more than a comment."""
        return self.git("log", "-1", "--format=%H", f"-G{CODE}", "--", *self.kernels(system)).stdout.strip()

    @functools.lru_cache(maxsize=None)
    def behind(self, commit, system):
        """Commits from one to the last change of the system's kernels; None where the history does not have it."""
        last = self.last_change(system)
        if not commit or not last or self.git("cat-file", "-e", f"{commit}^{{commit}}").returncode != 0:
            return None
        return int(self.git("rev-list", "--count", f"{commit}..{last}").stdout)


@dataclasses.dataclass
class Record:
    path: str  # relative to the root; with DEVICE or CARD in it where no record is there
    system: str
    piece: str = ""  # of tools/gpu/records.txt; empty: none makes it
    commit: str = ""
    changed: bool = False  # the program had changes that no commit has
    device: str = ""
    date: str = ""
    behind: int | None = None
    missing: bool = False
    stays: str = ""  # why it is not made again


def rows_of(tree):
    """[(name, system, record, words)] of the table of pieces, with - for the name of what stays at its commit."""
    rows = []
    for line in (tree.root / "tools/gpu/records.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, system, record, words = (part.strip() for part in line.split("|", 4))
            rows.append((name, system, record, words))
    return rows


def pieces_of(tree):
    return [row for row in rows_of(tree) if row[0] != "-"]


def origin_of(tree, path, beside=""):
    """Commit, whether the tree had changes, device and date of a record; empty where nothing says them. `beside`: the text that was made with a picture."""
    file = tree.root / path
    if path.endswith(".json"):
        document = json.loads(file.read_text(encoding="utf-8"))
        if document.get("commit"):
            return document["commit"].split()[0], " " in document["commit"], document.get("device", ""), document.get("date", "")[:10]
    text = beside or path
    if text.endswith(".txt") and (tree.root / text).exists():
        found = MADE.match((tree.root / text).read_text(encoding="utf-8").split("\n", 1)[0])
        if found:
            return found[1], bool(found[2]), found[3] or "", found[4] or ""
    table = tree.root / "validation/made-at.txt"
    for line in table.read_text(encoding="utf-8").splitlines() if table.exists() else ():
        pattern, _, rest = line.partition(" ")
        if not line.startswith("#") and fnmatch.fnmatchcase(path, pattern):
            commit, _, device = rest.strip().partition(" ")
            return commit, False, device.strip(), ""
    return "", False, "", ""


def system_of(tree, path, piece_system):
    if piece_system and piece_system != "all":
        return piece_system
    parts = path.split("/")
    if parts[0] == "validation" and len(parts) > 2 and parts[1] in tree.systems:
        return parts[1]
    named = [system for system in tree.systems if system in parts[-1]]
    if path.endswith(".json") and not named:
        document = json.loads((tree.root / path).read_text(encoding="utf-8"))
        named = [name for name in (document.get("benchmark"), document.get("system")) if name in tree.systems]
    return named[0] if named else "atmosphere" if parts[-1] == "strategies.md" else "all"


def records_of(tree):
    """All records, those that are missing last; `behind` is None without a history."""
    pieces, found, made = pieces_of(tree), [], set()
    staying = [(record, system, why) for name, system, record, why in rows_of(tree) if name == "-"]
    for path in sorted(file for file in tree.files if file.startswith(tuple(f"{folder}/" for folder in FOLDERS))):
        if pathlib.PurePath(path).suffix not in ENDINGS or any(fnmatch.fnmatchcase(path, pattern) for pattern in NOT_RECORDS):
            continue
        name = system = beside = ""
        stays, of_those = next(((why, system) for record, system, why in staying if fnmatch.fnmatchcase(path, record)), ("", ""))
        for piece, piece_system, record, words in pieces:
            pattern = record.replace("DEVICE", "*").replace("CARD", "*")
            beside_it = [pathlib.PurePath(pattern).with_name(picture) for picture in PICTURE.findall(words)]
            picture = words.startswith("run ") and path == pattern.replace(".txt", ".png") or pathlib.PurePath(path) in beside_it
            if not stays and (picture or fnmatch.fnmatchcase(path, pattern)):
                name, system, beside = piece, piece_system, pattern if picture else ""
                made.add(piece)
        system = system_of(tree, path, of_those if stays else system)
        commit, changed, device, date = origin_of(tree, path, beside)
        if commit and not date:
            date = tree.git("log", "-1", "--format=%cs", commit).stdout.strip()
        found.append(Record(path, system, name, commit[:8], changed, device, date, tree.behind(commit, system) if tree.has_history else None, stays=stays))
    found += [Record(record, system, piece, missing=True) for piece, system, record, _ in pieces if piece not in made]
    return found


def page_of(tree, records):
    """The page; it changes only with a kernel or a record."""
    lines = ["# Records of a release", "",
             "Made by `tools/records.py --write`, which says how it counts; do not edit. [tools/gpu/validate.sh](../tools/gpu/validate.sh) makes the records, "
             "one piece of [tools/gpu/records.txt](../tools/gpu/records.txt) after the other.", "",
             "*Behind* is the number of commits from that of the record to the last change of a kernel of its system. Where a record has no date of its own the date is that "
             "of its commit.", "", "| system | last change of its kernels | files |", "| --- | --- | --- |"]
    for system in tree.systems:
        last = tree.git("log", "-1", "--format=%h, %cs", tree.last_change(system)).stdout.strip()
        lines.append(f"| {system} | {last} | {len(tree.kernels(system))} |")
    for title, chosen in (("Validation", "validation"), ("Measured speed", "bench")):
        lines += ["", f"## {title}", "", "| record | system | piece | commit | date | device | behind |", "| --- | --- | --- | --- | --- | --- | --- |"]
        for record in records:
            if record.path.startswith(chosen) and not record.missing and not record.stays:
                link = record.path.removeprefix("validation/") if chosen == "validation" else f"../{record.path}"
                commit = f"{record.commit} with changes" if record.changed else record.commit or "unknown"
                behind = "unknown" if record.behind is None else record.behind
                lines.append(f"| [{record.path.partition('/')[2]}]({link}) | {record.system} | {record.piece or 'by hand'} | {commit} | {record.date} | {record.device} | {behind} |")
    staying = [record for record in records if record.stays]
    if staying:
        lines += ["", "## Measurements that stay at their commit", "", "| file | commit | date | device | why |", "| --- | --- | --- | --- | --- |"]
        lines += [f"| [{record.path.partition('/')[2]}](../{record.path}) | {record.commit} | {record.date} | {record.device} | {record.stays} |" for record in staying]
    missing = [record for record in records if record.missing]
    if missing:
        lines += ["", "## Not made yet", "", "| record | system | piece |", "| --- | --- | --- |"]
        lines += [f"| {record.path} | {record.system} | {record.piece} |" for record in missing]
    return "\n".join(lines) + "\n"


def warnings_of(records, most):
    """One line per system and kind of fault."""
    old, missing, unknown = {}, {}, {}
    for record in records:
        if record.missing:
            missing.setdefault(record.system, []).append(record)
        elif record.stays:
            continue
        elif record.behind is None:
            unknown.setdefault(record.system, []).append(record)
        elif record.behind > most:
            old.setdefault(record.system, []).append(record)
    for system, found in sorted(old.items()):
        oldest = max(found, key=lambda record: record.behind)
        yield (f"{system}: {len(found)} records are more than {most} commits behind the last change of its kernels, "
               f"most of all {oldest.path}, {oldest.behind}")
    for what, by_system in (("not made yet", missing), ("of no known commit", unknown)):
        for system, found in sorted(by_system.items()):
            yield f"{system}: {what}: {', '.join(record.path for record in found)}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Lists the records of a release and how far they are behind the kernels.")
    parser.add_argument("--write", action="store_true", help="write validation/records.md")
    parser.add_argument("--warn", nargs="?", type=int, const=20, metavar="N", help="warn of records more than N commits behind (20)")
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[1])
    given = parser.parse_args(arguments)
    tree = Tree(given.root)
    if not tree.has_history:
        print("records: the history is not there (a shallow clone, or a copy of the sources): nothing is counted")
        return 0 if given.warn is not None else 3
    records = records_of(tree)
    if given.warn is not None:
        found = list(warnings_of(records, given.warn))
        page = tree.root / "validation/records.md"
        if not page.exists() or page.read_text(encoding="utf-8") != page_of(tree, records):
            found.append("validation/records.md is not what tools/records.py --write makes now")
        for line in found:
            print(f"warning: {line}")
        print(f"{len(records)} records, {len(found)} warnings")
    elif given.write:
        (tree.root / "validation/records.md").write_text(page_of(tree, records), encoding="utf-8")
    else:
        for record in sorted(records, key=lambda r: (r.missing, -(r.behind or 0))):
            where = "missing" if record.missing else "unknown" if record.behind is None else str(record.behind)
            print(f"{where:>8}  {record.commit or '-':9} {record.date or '-':11} {record.system:15} {record.path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
