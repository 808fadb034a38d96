#!/usr/bin/env python3
"""Check that every expected number of `watersmeet verify` and of the examples' check.py names its source in validation/sources.md.

Usage: check_sources.py [ROOT]

Numbers are the literals of three or more significant digits in src/verify, in verify.cpp of systems in examples and in examples/*/check.py, outside of comments and texts; powers of two, seconds of a
day, pi and its multiples are no expected numbers. A row of the table, | file | numbers | kind | source |, covers the literals that it lists, and
with @name those of the initialiser of that name. Kinds are:

    formula       a closed form or identity, derived in the file or in what the source names
    publication   its author, year, and table, figure or equation
    script        a script of validation/reference, in backticks, which a test in tests/python runs
    bound         what a run had, with a margin: it judges changes, not the truth
    case          a parameter of the case
    nobody        of a program that nobody has: validation/README.md must state how many of them there are

Files of validation/data need a row too, with a dash for the numbers, and every script of validation/reference a test that runs it. Prints every offence and
the count of each kind, and exits 1 when there is any offence.
"""

import ast
import collections
import io
import pathlib
import re
import sys
import tokenize

KINDS = ("formula", "publication", "script", "bound", "case", "nobody")
LITERAL = re.compile(r"(?<![\w.])\d[\d']*\.?\d*(?:[eE][-+]?\d+)?")
NO_NUMBER = re.compile(r"3\.14159265\d*|6\.28318530\d*|1\.57079632\d*|86400")
STATED = re.compile(r"(\w+) expected numbers? (?:is|are) of programs that nobody has")


def significant(literal):
    digits = re.split("[eE]", literal.replace("'", ""))[0]
    if "." not in digits or digits.endswith(".0"):
        digits = digits.removesuffix(".0").rstrip("0")
    return len(digits.replace(".", "").lstrip("0"))


def counts(literal):
    whole = literal.replace("'", "").removesuffix(".0")
    power_of_two = whole.isdigit() and int(whole) & (int(whole) - 1) == 0
    return significant(literal) >= 3 and not power_of_two and not NO_NUMBER.fullmatch(whole)


def cpp_literals(text):
    """(offset, literal) outside of comments and texts."""
    bare = re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|^#[^\n]*', lambda m: " " * len(m.group()), text, flags=re.MULTILINE)
    return bare, [(m.start(), m.group()) for m in LITERAL.finditer(bare)]


def python_literals(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(starts[t.start[0] - 1] + t.start[1], t.string) for t in tokens if t.type == tokenize.NUMBER]


def cpp_initialiser(bare, name):
    """Offsets of the initialiser of a name."""
    for match in re.finditer(rf"\b{name}\b[^;={{}}()]*(?:=\s*)?{{", bare):
        depth = 0
        for end in range(match.end() - 1, len(bare)):
            depth += {"{": 1, "}": -1}.get(bare[end], 0)
            if depth == 0:
                return match.start(), end
    return None


def python_initialiser(text, name):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and any(isinstance(n, ast.Name) and n.id == name for t in node.targets for n in ast.walk(t)):
            return starts[node.lineno - 1], starts[node.end_lineno]
    return None


def rows_of(page):
    """(line, file, numbers, kind, source)"""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 4:
            yield number, cells[0].strip("`"), cells[1].split(), cells[2], cells[3]


def check(root):
    offences, count = [], collections.Counter()
    page = root / "validation/sources.md"
    by_file = collections.defaultdict(list)
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (root / "tests/python").glob("test_*.py"))
    for line, file, numbers, kind, source in rows_of(page):
        where = f"validation/sources.md:{line}"
        by_file[file].append((where, numbers, kind))
        if kind not in KINDS:
            offences.append(f"{where}: the kind `{kind}` is none of {', '.join(KINDS)}")
        if not source:
            offences.append(f"{where}: no source")
        scripts = re.findall(r"`(\w+)\.py", source)
        if kind == "script" and not scripts:
            offences.append(f"{where}: no script of validation/reference is named in backticks")
        for script in scripts:
            path = f"{'tests/python' if script.startswith('test_') else 'validation/reference'}/{script}.py"
            if not (root / path).is_file():
                offences.append(f"{where}: {path} does not exist")
    files = [*sorted((root / "src/verify").rglob("*.[ch]pp")), *sorted((root / "examples").rglob("verify.cpp")), *sorted((root / "examples").glob("*/check.py"))]
    for path in files:
        name, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
        python = path.suffix == ".py"
        bare, literals = (text, python_literals(text)) if python else cpp_literals(text)
        literals = [(at, literal) for at, literal in literals if counts(literal)]
        covered = set()
        for where, numbers, kind in by_file.pop(name, []):
            for item in numbers:
                if item.startswith("@"):
                    span = python_initialiser(text, item[1:]) if python else cpp_initialiser(bare, item[1:])
                    found = {at for at, _ in literals if span and span[0] <= at <= span[1]}
                else:
                    found = {at for at, literal in literals if literal == item}
                if not found:
                    offences.append(f"{where}: {name} has no number {item}")
                count[kind] += len(found - covered)
                covered |= found
        for at, literal in literals:
            if at not in covered:
                offences.append(f"{name}:{text.count(chr(10), 0, at) + 1}: the number {literal} has no row in validation/sources.md")
    for path in sorted((root / "validation/data").iterdir()):
        if by_file.pop(str(path.relative_to(root)), None) is None:
            offences.append(f"{path.relative_to(root)}: has no row in validation/sources.md")
    offences += [f"{rows[0][0]}: {file} is no file whose numbers are judged" for file, rows in by_file.items()]
    for path in sorted((root / "validation/reference").glob("*.py")):
        if not re.search(rf"\b{path.stem}\b", tests):
            offences.append(f"{path.relative_to(root)}: no test in tests/python runs it")
    stated = STATED.search((root / "validation/README.md").read_text(encoding="utf-8"))
    if not stated or stated.group(1) != (str(count["nobody"]) if count["nobody"] else "No"):
        offences.append(f"validation/README.md: must say that {count['nobody'] or 'No'} expected numbers are of programs that nobody has")
    return offences, count


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    offences, count = check(root)
    for offence in offences:
        print(offence)
    print(", ".join(f"{count[kind]} {kind}" for kind in KINDS) + f", {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
