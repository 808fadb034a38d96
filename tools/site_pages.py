"""The hook of mkdocs.yml: the pages of the site are the Markdown files of the tree, at their places in the tree, so that the links between
them hold in the tree and on the site alike. Formulas become MathML, which browsers show without a program from elsewhere.
"""
import html
import pathlib
import re
import sys

import latex2mathml.converter
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_docs

FENCE = re.compile(r"^```(\w+) +(\S+)$", re.MULTILINE)
# Messages and keys are what is searched for; records of runs share their words.
BOOST = {"docs/errors/": 30, "docs/reference/keys.md": 20, "docs/": 2}
TITLE = re.compile(r"^# ", re.MULTILINE)
HEADING = re.compile(r"^#+ ", re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
PRIME = re.compile(r"<msup>(<mi[^>]*>[^<]*</mi>)<mi>&#x02032;</mi></msup>")
PRIME_WITH_INDEX = re.compile(r"<msubsup>(<mi[^>]*>[^<]*</mi>)(<mi[^>]*>[^<]*</mi>)<mi>&#x02032;</mi></msubsup>")
CELL = re.compile(r"<td>(.*?)(?=</td>)", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
BOLD = re.compile(r'<mi mathvariant="bold">([A-Za-z])</mi>')


def pieces_of(markdown):
    """The pieces of a page, and whether each is a fenced block."""
    for piece in re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL):
        yield piece, piece.startswith("```")


def linked_from(page):
    """The files and folders that a page links to."""
    for piece, fenced in pieces_of(page.read_text(encoding="utf-8")):
        targets = [] if fenced else [target.split("#")[0] for target in check_docs.LINK.findall(re.sub(r"`[^`\n]*`", "", piece))]
        yield from (page.parent.joinpath(target).resolve() for target in targets if target and ":" not in target)


def on_files(files, config):
    root = pathlib.Path(config.config_file_path).parent.resolve()
    tracked = {path for path in check_docs.tree_of(root)[0] if (root / path).is_file()}
    pages = {path for path in tracked if path.endswith(".md")}
    linked = {there.relative_to(root).as_posix() for page in pages for there in linked_from(root / page) if there.is_relative_to(root)}
    wanted = pages | {path for path in tracked if path.endswith(".png") or path.startswith("docs/site")} | linked & tracked
    theme = [file for file in files if not (file.abs_src_path or "").startswith(config.docs_dir)]
    return Files(theme + [File.generated(config, path, abs_src_path=str(root / path)) for path in sorted(wanted)])


def on_page_markdown(markdown, page, config, files):
    folder = pathlib.Path(config.config_file_path).parent / pathlib.Path(page.file.src_uri).parent

    page.meta["search"] = {"boost": next((boost for begin, boost in BOOST.items() if page.file.src_uri.startswith(begin)), 1)}

    def link(found):
        """A link to a folder leads to its page, or is its text alone where it has none."""
        mark, text, target = found.groups()
        there = folder / target.split("#")[0]
        if ":" in target or target.startswith("#") or not there.is_dir():
            return found[0]
        return f"{mark}[{text}]({target.rstrip('/')}/README.md)" if (there / "README.md").exists() else text

    if sum(len(TITLE.findall(piece)) for piece, fenced in pieces_of(markdown) if not fenced) > 1:  # a page of several, such as that of the keys
        markdown = f"# {page.title}\n\n" + "".join(piece if fenced else HEADING.sub(r"#\g<0>", piece) for piece, fenced in pieces_of(markdown))
    listed = FENCE.sub(r'```\1 title="\2"', markdown)
    if page.file.src_uri.startswith("docs/errors/"):  # messages are long lines
        listed = re.sub(r"^```text$", "```{ .text .message }", listed, flags=re.MULTILINE)
    return "".join(piece if fenced else LINK.sub(link, piece) for piece, fenced in pieces_of(listed))


def mathml(found):
    display = "block" if found[1] == "div" else "inline"
    made = latex2mathml.converter.convert(html.unescape(found[2]).strip(), display=display)
    # Bars with the space of an operator around them, and primes that are small twice, are hard to read.
    made = made.replace('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0.1em" rspace="0.1em">|</mo>')
    made = PRIME_WITH_INDEX.sub(r"<msub><mrow>\1<mi>&#x2032;</mi></mrow>\2</msub>", PRIME.sub(r"<mrow>\1<mi>&#x2032;</mi></mrow>", made))
    # Browsers do not know mathvariant: the bold letters of Unicode take its place.
    return BOLD.sub(lambda letter: f"<mi>{chr((0x1D400 if letter[1].isupper() else 0x1D41A - 32) + ord(letter[1]) - ord('A'))}</mi>", made)


def sized(cell):
    length = len(html.unescape(TAG.sub("", cell[1])))
    return f'<td class="short">{cell[1]}' if length <= 16 else f'<td class="long">{cell[1]}' if length > 50 else cell[0]


def on_page_content(content, **_):
    return CELL.sub(sized, FORMULA.sub(mathml, content))
