#!/usr/bin/env python3
"""Check what the Markdown files promise: relative links and their anchors exist, names in backticks are those of the tree, the
list of folders in docs/architecture.md is that of src/, listings are lines of the file that they name, and the commands of README exist.

Usage: check_docs.py [--program build/release/watersmeet] [ROOT]

Names in backticks, outside of code blocks: a path that begins with a folder of the tree must exist, wherever that folder is (*, NAME, <name>
and {a,b} stand for anything, and an ending may be left out), but on the page of a system not in another system alone; a file of
systems/<name>/ must exist in every system. Identifiers with an underscore, ::, () or an inner capital, and flags, must
stand in some tracked file that is no Markdown, except for table columns whose heading begins with "their", which have names of other programs; both names of Type::member in the same one. A code block that begins with ```LANGUAGE PATH, where PATH is counted from the root, must be
consecutive lines of that file; the indentation of the whole block does not count. With --program, every subcommand that a code block of README.md calls (`watersmeet X` or `./wm X`) must be listed by
`watersmeet --help`. Prints every offence as file:line: text, and exits 1 when there is any.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import textwrap

LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)")
CALL = re.compile(r"^\s*(?:\$\s+)?(\./wm|watersmeet)\s+([a-z][\w-]*)")
WM_OWN = {"test", "build", "help"}
PATH = re.compile(r"[A-Za-z_.][\w.*<>{},-]*(?:/[\w.*<>{},-]+)+/?|[\w*-]+\.(?:hpp|cpp|cu|py|sh|md|cmake)")
FREE = re.compile(r"\*+|<\w+>|\{[^}]*\}|(?<![A-Za-z])(?:NAME|DIR|EXAMPLE|VARIANT|SYSTEM|RUN|N+)(?![A-Za-z])")  # what stands for any name
MADE = re.compile(r"build|runs|checkpoint|/")  # folders and files that runs and builds make
EVERY_SYSTEM = re.compile(r"(?:src/)?systems/(?:<\w+>|NAME)/(.+)")
MEMBER = re.compile(r"([A-Za-z]\w*)::([A-Za-z]\w*)")
IDENTIFIER = re.compile(r"(?<![\w$\\-])[A-Za-z]\w*_\w+|\b[A-Z][a-z0-9]+[A-Z]\w+|(?<=::)\w+|\b\w+(?=\(\))")
WORD = re.compile(r"[A-Za-z_]\w*")
FOREIGN = {"CamelCase", "snake_case", "NCCL_MAX_CTAS"}  # names of styles and of other programs
FLAG = re.compile(r"(?<![\w-])--([a-z][\w-]+)")
LISTING = re.compile(r"^```\w+ +(\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SKIPPED_FOLDERS = {"build", "runs", ".git", ".cache", ".pytest_cache"}


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


def without_foreign_columns(lines):
    """The lines of lines_of(), rows of tables without the leading columns whose heading begins with "their"."""
    columns = 0
    for number, line, fenced in lines:
        cells = line.split("|")[1:-1] if line.startswith("|") and not fenced else []
        if not cells:
            columns = 0
        elif columns == 0:
            columns = sum(cell.strip().startswith("their ") for cell in cells)
        yield number, "|".join(cells[columns:]) if columns else line, fenced


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


def tree_of(root):
    """Paths of the tracked files; the texts of those that are no Markdown."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    paths = [path for path in listed.stdout.split("\0") if path]
    if not paths:
        paths = [p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()]
    read = (root / path for path in paths if not path.endswith((".md", ".png", ".h5")))
    return paths, [path.read_text(encoding="utf-8", errors="replace") for path in read if path.is_file()]


def is_there(name, page, paths):
    """Whether a path of a page names a tracked file or folder, from any folder of the tree, of every system where it says so."""
    every = EVERY_SYSTEM.fullmatch(name)
    if every:
        systems = {"/".join(path.split("/")[:3]) for path in paths if re.match(r"src/systems/\w+/", path)}
        return bool(systems) and all(is_there(f"{system}/{every[1]}", page, paths) for system in systems)
    pieces = (re.escape(part) for part in FREE.split(name.removeprefix("./").strip("/")))
    pattern = re.compile("(?:.*/)?" + "[^/]*".join(pieces) + r"(?:\.\w+)?(?:/.*)?")
    return (page.parent / name).exists() or any(pattern.fullmatch(path) and ("test" in name or "_test." not in path) for path in paths)


def is_known(word, words, text):
    """Whether a name is in the tree, whole or as the beginning that a program completes ("wall_" + name)."""
    begun = [word[:at.end()] for at in re.finditer("_", word)]
    foreign = word in FOREIGN or (word.upper() != word and re.search(r"_[A-Z]{4,}|[A-Z]{4,}_", word))
    return bool(foreign) or word in words or any(f'{part}"' in text or f'"{part}{{' in text for part in begun)


def seen_from(page, root, paths):
    """Paths that a page may mean: that of a system, src/systems/NAME/*.md, means no file of another system."""
    own = re.match(r"src/systems/\w+/", page.relative_to(root).as_posix())
    return [path for path in paths if not own or not re.match(r"src/systems/\w+/", path) or path.startswith(own[0])]


def name_offences(page, root, paths, words, files):
    text = "\n".join(files)
    folders = {folder for path in paths for folder in path.split("/")[:-1]}
    paths = seen_from(page, root, paths)
    for number, line, fenced in without_foreign_columns(lines_of(page)):
        for name in [] if fenced else re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
            if PATH.fullmatch(name):
                first = name.split("/")[0]
                if ("/" not in name or first in folders) and not MADE.match(name) and not is_there(name, page, paths):
                    yield page, number, f"`{name}`: no such file or folder"
                continue
            for of, member in MEMBER.findall(name):
                if {of, member} <= words and not any(re.search(rf"\b{of}\b", file) and re.search(rf"\b{member}\b", file) for file in files):
                    yield page, number, f"`{name}`: no file but Markdown has both {of} and {member}"
            for word in IDENTIFIER.findall(name):
                if not is_known(word, words, text):
                    yield page, number, f"`{name}`: no file but Markdown has the name {word}"
            for flag in FLAG.findall(name):
                if f"--{flag}" not in text and f'"{flag}"' not in text:
                    yield page, number, f"`{name}`: no file but Markdown has the flag --{flag}"


def folder_offences(page, paths):
    """Folders under src/ that the list of folders of a page lacks, or that it has and the tree has not. The list is the code block whose
    lines begin with `src/`: a name per line, or several with commas between, each ending in a slash, indented below the folder that
    holds it; what follows two spaces is its description."""
    listed, above = {}, []
    for number, line, fenced in lines_of(page):
        entry = re.match(r"( *)((?:[\w.-]+/)+(?:, (?:[\w.-]+/)+)*)(?:  |$)", line) if fenced else None
        if not entry:
            continue
        depth = len(entry[1])
        above = [(d, name) for d, name in above if d < depth]
        for name in entry[2].split(", "):
            whole = (above[-1][1] if above else "") + name
            listed.setdefault(whole.rstrip("/"), number)
        above.append((depth, whole))
    listed = {name: number for name, number in listed.items() if name == "src" or name.startswith("src/")}
    if not listed:
        return
    folders = {"/".join(path.split("/")[:n]) for path in paths if path.startswith("src/") for n in range(1, path.count("/") + 1)}
    for name in sorted(folders - set(listed)):
        yield page, listed.get("src", 1), f"the list of folders lacks {name}/"
    for name in sorted(set(listed) - folders):
        yield page, listed[name], f"{name}/ is no folder of the tree"


def listing_offences(page, root):
    """Code blocks that name a file and are not consecutive lines of it."""
    text = page.read_text(encoding="utf-8")
    for block in LISTING.finditer(text):
        number, file = text.count("\n", 0, block.start()) + 1, root / block[1]
        if not file.is_file():
            yield page, number, f"listing of {block[1]}: no such file"
            continue
        listed, lines = block[2].rstrip("\n"), file.read_text(encoding="utf-8").splitlines()
        height = listed.count("\n") + 1
        parts = ("\n".join(lines[at:at + height]) for at in range(len(lines) - height + 1))
        if not any(textwrap.dedent(part) == textwrap.dedent(listed) for part in parts):
            yield page, number, f"listing of {block[1]}: these are not consecutive lines of the file"


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
    paths, files = tree_of(root)
    tests = {"test_" + "_".join(path.split("/")[1:3]) for path in paths if path.startswith("tests/") and path.count("/") > 2}
    words = set(WORD.findall("\n".join(files))) | {pathlib.PurePath(path).stem for path in paths} | tests
    found += [offence for page in pages for offence in name_offences(page, root, paths, words, files)]
    found += [offence for page in pages for offence in listing_offences(page, root)]
    plan = root / "docs" / "architecture.md"
    if plan.exists():
        found += folder_offences(plan, paths)
    if given.program:
        found += command_offences(root / "README.md", given.program)
    for path, number, text in found:
        print(f"{path.relative_to(root)}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
