"""The code blocks of the documents, and how to run them. tests/python/test_docs_commands.py and tools/doc_pictures.py use it.

Every fenced block names its language:

    sh      commands, run by bash in the working folder of the page, which all blocks of the page share. A last line
            "# exit status N" says that the block ends with this status. "./wm COMMAND" is "watersmeet COMMAND".
    text    what the block of commands or Python just before it prints, with at most one line between them: these lines must be among
            its output, in this order. "..." stands for any text. From the first "small" block of a page on nothing is compared.
    toml    a case. "# NAME.toml" in the first line: the block is this file. "# in NAME.toml": these tables replace or add to
            those of the file, and the result must pass `watersmeet check`. A block with [case] must pass it as it stands;
            other blocks are fragments, which are not run.
    python  run in the same folder
    cpp, math, cmake    not run

A block of commands or Python whose first line is "# not run by the tests: REASON" is left out; REASONS lists the reasons.
Three comments of HTML belong to the block after them: <!-- small: FLAGS --> adds flags to every `watersmeet run`, `resume`
and `check` of the block when tests run it, <!-- before: COMMAND --> is run first by the tests, <!-- needs: MODULE --> leaves the block out where
Python has no such module.
"""
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

REASONS = ("needs a GPU", "needs Slurm", "needs several hosts", "builds the program", "installs packages", "takes long", "needs a display")
LANGUAGES = {"sh", "text", "toml", "python", "cpp", "math", "cmake"}
LEFT_OUT = re.compile(r"# not run by the tests: (.+)")
STATUS = re.compile(r"# exit status (\d+)")
CASE_NAME = re.compile(r"# (in )?([\w/-]+\.toml)")
COMMENT = re.compile(r"<!-- (small|before|needs): (.*?) -->")


@dataclasses.dataclass
class Block:
    line: int  # of its fence
    language: str
    file: str  # the file of the tree that the block lists (tools/check_docs.py compares it)
    text: str
    small: str = ""
    before: str = ""
    needs: str = ""
    end: int = 0

    @property
    def first(self):
        return self.text.split("\n", 1)[0]

    @property
    def left_out(self):
        """The reason why tests do not run the block, or None."""
        found = LEFT_OUT.match(self.first)
        return found[1] if found else None

    @property
    def is_fragment(self):
        return self.language == "toml" and not CASE_NAME.fullmatch(self.first) and "[case]" not in self.text

    @property
    def status(self):
        found = STATUS.findall(self.text)
        return int(found[-1]) if found else 0


def blocks_of(page):
    """The fenced blocks of a page, in order."""
    found, comments, block = [], {}, None
    for number, line in enumerate(pathlib.Path(page).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if block:
                block.text, block.end = "\n".join(block.text), number
                found.append(block)
                block, comments = None, {}
            else:
                language, _, file = line[3:].strip().partition(" ")
                block = Block(number, language, file, [], **comments)
        elif block:
            block.text.append(line)
        elif COMMENT.fullmatch(line):
            kind, words = COMMENT.fullmatch(line).groups()
            comments[kind] = f"{comments[kind]}\n{words}" if kind in comments else words
    return found


def merged(case, change):
    """Tables of a case with those of a change in their place; lists of tables are replaced as a whole."""
    if not (isinstance(case, dict) and isinstance(change, dict)):
        return change
    return {key: merged(case[key], change[key]) if key in case and key in change else change.get(key, case.get(key)) for key in case | change}


def toml_of(value):
    """A value as inline TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_of(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def lacking(expected, output):
    """The first line of `expected` that does not follow in the output, or None. "..." stands for any text."""
    lines = iter(output.splitlines())
    for wanted in filter(str.strip, expected.splitlines()):
        pattern = "*".join(re.sub(r"([\[?*])", r"[\1]", " ".join(part.split())) for part in re.split(r" ?\.\.\. ?", wanted))
        if not any(fnmatch.fnmatchcase(" ".join(line.split()), pattern) for line in lines):
            return wanted
    return None


class Reader:
    """Does in a folder what the blocks of a page say."""

    def __init__(self, binary, folder, root, shrunk=True, timeout=120):
        self.binary, self.folder, self.root, self.shrunk, self.timeout = pathlib.Path(binary), pathlib.Path(folder), pathlib.Path(root), shrunk, timeout
        self.output, self.compared, self.end, self.smaller = None, False, 0, not shrunk
        program = self.folder / ".program"
        program.mkdir(exist_ok=True)
        (program / "watersmeet").write_text(
            '#!/bin/bash\ncase "$1" in run | resume | check) eval "set -- \\"\\$@\\" $DOCS_SMALL" ;; esac\nexec "$DOCS_BINARY" "$@"\n')
        (program / "watersmeet").chmod(0o755)
        python = shutil.which("python3", path="/usr/bin") or sys.executable  # the one that Debian's packages belong to
        if not (program / "python3").exists():
            (program / "python3").symlink_to(python)
        self.environment = {**os.environ, "PATH": f"{program}:{os.environ['PATH']}", "PYTHONPATH": f"{self.root}/python:{self.binary.parent}/python", "MPLBACKEND": "Agg",
                            "WATERSMEET_BINARY": str(program / "watersmeet"), "DOCS_BINARY": str(self.binary), "DOCS_SMALL": "", "TERM": "dumb"}

    def call(self, words, small=""):
        done = subprocess.run(words, cwd=self.folder, env={**self.environment, "DOCS_SMALL": small}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=self.timeout)
        return done.returncode, done.stdout

    def need(self, result, status, what):
        if result[0] != status:
            raise AssertionError(f"{what}\nended with status {result[0]} in place of {status}:\n{result[1]}")
        return result[1]

    def take(self, block):
        """Runs, writes or compares one block; raises AssertionError where it does not do what the page says."""
        if block.before and self.shrunk:
            self.need(self.call(["bash", "-ec", block.before]), 0, block.before)
        small = block.small if self.shrunk else ""
        self.smaller = self.smaller or bool(small)
        if block.language == "text":
            if self.compared and block.line - self.end <= 4:
                line = lacking(block.text, self.output)
                if line is not None:
                    raise AssertionError(f"the page says:\n{line}\nthe program printed:\n{self.output}")
            self.compared = False
        elif block.left_out or (block.needs and self.call(["python3", "-c", f"import {block.needs}"])[0] != 0):
            self.output, self.compared = None, False
        elif block.language == "sh":
            text = re.sub(r"(^|\s)\./wm ", r"\1watersmeet ", block.text)
            self.output = self.need(self.call(["bash", "-c" if block.status else "-ec", text], small), block.status, block.text)
            self.compared, self.end = not self.smaller, block.end
        elif block.language == "python":
            self.output = self.need(self.call(["python3", "-c", block.text], small), 0, block.text)
            self.compared, self.end = not self.smaller, block.end
        elif block.language == "toml":
            self.take_case(block)

    def take_case(self, block):
        named = CASE_NAME.fullmatch(block.first)
        if not named:
            if not block.is_fragment:
                self.write_and_check("case_of_page.toml", block.text)
        elif not named[1]:
            (self.folder / named[2]).write_text(block.text + "\n")
        else:
            case = merged(tomllib.loads((self.folder / named[2]).read_text()), tomllib.loads(block.text))
            self.write_and_check("changed_" + named[2], "\n".join(f"{key} = {toml_of(value)}" for key, value in case.items()))

    def write_and_check(self, name, text):
        (self.folder / name).write_text(text)
        self.need(self.call(["watersmeet", "check", name, "--device", "cpu"]), 0, text)
