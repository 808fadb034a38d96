"""The list of deliberate faults fits the sources and names tests that exist. tools/mutate.sh tries them, which takes long."""

import sys
from pathlib import Path

import pytest

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/mutations"))
import mutation as faults  # noqa: E402


@pytest.mark.parametrize("name, entry", faults.read().items())
def test_fault_fits_the_sources(name, entry):
    assert (root / entry["file"]).read_text().count(entry["find"]) == 1, "the line to replace stands once"
    assert entry["replace"] not in (root / entry["file"]).read_text() and entry["what"]
    assert entry["tests"]
    for test in entry["tests"]:
        kind, _, word = test.partition(" ")
        if kind == "pytest":
            file, _, function = word.partition("::")
            assert f"def {function}" in (root / file).read_text()
        else:
            _, level, folder = test.split("_", 2)
            assert list((root / "tests" / level / folder).glob("*.cpp"))


def test_a_fault_is_applied_and_reverted(tmp_path):
    name, entry = next(iter(faults.read().items()))
    copy = tmp_path / entry["file"]
    copy.parent.mkdir(parents=True)
    before = (root / entry["file"]).read_text()
    copy.write_text(before)
    faults.main("apply", name, tmp_path)
    assert entry["replace"] in copy.read_text() and entry["find"] not in copy.read_text()
    with pytest.raises(SystemExit, match="0 places"):
        faults.main("apply", name, tmp_path)
    faults.main("revert", name, tmp_path)
    assert copy.read_text() == before
