#!/usr/bin/env python3
"""The list of deliberate faults, mutations.toml, for tools/mutate.sh and for the test that holds it in step with the sources.

mutation.py names [NAME...]           the names of all, or of those given, one per line
mutation.py programs [NAME...]        the test programs that are to catch them, one per line
mutation.py tests NAME                what is to catch one: lines of "PROGRAM" or "pytest FILE::TEST"
mutation.py apply NAME TREE           puts the fault into the sources of TREE
mutation.py revert NAME TREE          takes it out again
"""
import pathlib
import sys
import tomllib

LIST = pathlib.Path(__file__).with_name("mutations.toml")


def read():
    """Mutations by name: {what, file, find, replace, tests}."""
    entries = tomllib.loads(LIST.read_text())["mutation"]
    found = {entry["name"]: entry for entry in entries}
    assert len(found) == len(entries), "two mutations have one name"
    return found


def substitute(file, old, new):
    """Puts `new` in the place of `old`, which must stand exactly once in the file."""
    text = file.read_text()
    if text.count(old) != 1:
        raise SystemExit(f"{file}: {text.count(old)} places hold {old!r}, not one")
    file.write_text(text.replace(old, new))


def main(command, *words):
    mutations = read()
    unknown = [word for word in words[: None if command in ("names", "programs") else 1] if word not in mutations]
    if unknown:
        raise SystemExit(f"no mutation is called {unknown[0]!r}; there are: {', '.join(mutations)}")
    if command == "names":
        print(*(words or mutations), sep="\n")
    elif command == "programs":
        tests = {test for name in (words or mutations) for test in mutations[name]["tests"]}
        print(*sorted(test for test in tests if not test.startswith("pytest ")), sep="\n")
    elif command == "tests":
        print(*mutations[words[0]]["tests"], sep="\n")
    else:
        entry = mutations[words[0]]
        pair = (entry["find"], entry["replace"])
        substitute(pathlib.Path(words[1]) / entry["file"], *(pair if command == "apply" else reversed(pair)))


if __name__ == "__main__":
    main(*sys.argv[1:])
