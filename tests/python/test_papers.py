"""The papers' own cases at low resolution on the CPU: every command ends with its tables, and a number of each agrees with what is known in closed form; the
pages are what their results give."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runs import binary, environment, needs_program

root = Path(__file__).resolve().parents[2]
papers = root / "validation" / "papers"
sys.path.insert(0, str(papers))
import page
import paper

needs_more = {"collapses", "weak"}  # a row of ten bubbles; several GPUs
names = sorted(path.parent.name for path in papers.glob("*/pieces.py"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """made(name): what the command printed, and the numbers by piece, of a paper at low resolution; made once."""
    results = {}

    def make(name):
        if name not in results:
            out = tmp_path_factory.mktemp(name)
            line = ["bash", root / "tools/gpu/paper.sh", name, binary, out, "250", "--device", "cpu", "--small"]
            said = subprocess.run(line, env=environment(), capture_output=True, text=True, timeout=290)
            assert said.returncode == 0, said.stdout + said.stderr
            results[name] = said.stdout, paper.values(paper.results_in(out / name / "results")), out / name
        return results[name]

    return make


@needs_program
@pytest.mark.parametrize("name", names)
def test_the_command_makes_all_tables(made, name):
    said, found, out = made(name)
    pieces = paper.load(name).pieces(True)
    assert said.endswith(f"{name}: {len(pieces)} done, 0 failed, 0 open, 0 need more GPUs\n"), said
    assert set(found) == {piece.name for piece in pieces}
    for table in paper.load(name).tables(found):
        assert (table.rows or table.name in needs_more) and all(len(row) == len(table.head) for row in table.rows), table.name
        assert not table.rows or f"\n{table.name}\n{table.text()}\n" in said
    document = json.loads((out / "results" / f"{pieces[0].name}.json").read_text())
    assert document["small"] and document["commands"][0].startswith("watersmeet ") and str(root) not in json.dumps(document)
    assert any((out / "figures").glob("*.png"))
    assert not any((out / "work").iterdir())  # runs are removed with their piece


@needs_program
def test_critical_numbers_of_rolls_are_those_of_the_differences(made):
    exact = paper.load("cohen-2009").free_slip_critical
    _, found, _ = made("cohen-2009")
    for n in (16, 32):
        assert found[f"onset-free-slip-{n}"]["critical"] == pytest.approx(exact(n), abs=2e-3)
    assert exact(10_000) == pytest.approx(27 * 3.141592653589793**4 / 4, rel=1e-7)


@needs_program
def test_steady_flow_on_the_sphere_stays(made):
    """The exact solution is the initial state; its distance after 5 days by validation/reference/water_sphere.py, the same scheme in numpy."""
    _, found, _ = made("xu-2019")
    along = [found[f"williamson-2-along-{n}"]["l2"] for n in (16, 32)]  # order 2.9
    assert along == pytest.approx([2.440e-3, 3.248e-4], rel=0.01)
    assert found["williamson-5-32"]["day_5"][1] == pytest.approx(7.896e-4, rel=0.02)


@needs_program
def test_a_sine_decays_with_the_error_of_the_differences(made):
    error = paper.load("pekkila-2017").decay_error
    found = made("pekkila-2017")[1]["decay"]
    for n in (32, 64):
        for method in ("55-point", "19-point"):
            assert found[f"{n} {method} double"] == pytest.approx(error(n), rel=1e-3)


@needs_program
def test_pressure_on_the_nose_is_that_behind_a_normal_shock(made):
    """Rayleigh's formula at Mach 1.2, on 64 x 32 cells and far from converged; the two sides are mirror images."""
    mach, gamma = 1.2, 1.4
    ratio = (0.5 * (gamma + 1) * mach**2) ** (gamma / (gamma - 1)) * ((gamma + 1) / (2 * gamma * mach**2 - gamma + 1)) ** (1 / (gamma - 1))
    found = made("legresley-2008")[1]["section-1.2-0-64"]
    assert found["cp"]["upper"][0] == pytest.approx((ratio - 1) / (0.5 * gamma * mach**2), rel=0.1)
    assert abs(found["cl"]) < 1e-3


@needs_program
def test_bubbles_collapse_later_than_an_empty_one(made):
    """Rayleigh's time in closed form; the shock needs time to cross the bubble, and the second waits for the first."""
    rayleigh = math.sqrt(math.pi / 6) * math.gamma(5 / 6) / math.gamma(4 / 3) * 125e-6 * math.sqrt(1000 / 4e7) * 1e9
    assert rayleigh == pytest.approx(572, abs=0.5)
    assert rayleigh < paper.load("wermelinger-2016").rayleigh_plesset_ns() == pytest.approx(573, abs=1)
    _, found, _ = made("wermelinger-2016")
    assert rayleigh < found["bubble-16-mpcf"]["collapse_ns"] < 1.25 * rayleigh
    assert found["row-16-mpcf-k"]["impact_ns"] == pytest.approx(160.3, abs=0.1) and len(found["row-16-mpcf-k"]["peaks_ns"]) == 3


@pytest.mark.parametrize("name", names)
def test_pages_are_what_their_results_give(name):
    text = (papers / name / "README.md").read_text()
    assert page.page_of(name, text) == text, "run validation/papers/page.py"


def test_a_page_with_another_number_is_found(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "one-2000"
    (folder / "results").mkdir(parents=True)
    (folder / "pieces.py").write_text(
        "from paper import Piece, Table\n"
        "def pieces(small):\n    return [Piece('a', None, 'first', 1), Piece('b', None, 'second', 1)]\n"
        "def figures(found, folder):\n    pass\n"
        "def tables(found):\n    return [Table('t', ['x'], [[str(found['a']['x'])]] if 'a' in found else [])]\n")
    (folder / "figures").mkdir()
    (folder / "figures/f.png").touch()
    places = "<!-- figure f.png: a picture -->\n<!-- end -->\n" + "".join(f"<!-- table {name} -->\n<!-- end -->\n" for name in ("t", "origin", "not-run"))
    (folder / "README.md").write_text(places)
    document = {"commit": "c", "device": "d", "date": "2000-01-01", "values": {"x": 3}}
    (folder / "results/a.json").write_text(json.dumps(document))
    monkeypatch.setattr(page, "HERE", tmp_path)
    monkeypatch.setattr(paper, "HERE", tmp_path)
    assert page.main(["one-2000"]) == 0 and page.main(["one-2000", "--check"]) == 0
    text = (folder / "README.md").read_text()
    assert "![a picture](figures/f.png)" in text and "| 3 |" in text and "| `a` | c | d | 2000-01-01 |" in text and "| `b` | second |" in text
    (folder / "results/a.json").write_text(json.dumps({**document, "values": {"x": 4}}))
    assert page.main(["one-2000", "--check"]) == 1
    (folder / "results/a.json").write_text(json.dumps({**document, "small": True}))
    assert page.main(["one-2000", "--check"]) == 2 and "results of --small" in capsys.readouterr().err


@needs_program
def test_a_run_without_its_fields_is_not_made_again(tmp_path):
    machine = paper.Machine(Path(binary).resolve(), "cpu", True, 100, tmp_path, tmp_path / "figures")
    case, settings = root / "examples/sine-decay/case.toml", {"grid.cells": [16, 4, 4], "time.steps": 3}
    machine.run("first", case, settings)
    machine.shrink("first")
    assert not list(tmp_path.glob("first/checkpoint_*")) and not list(tmp_path.glob("first/fields_*"))
    assert machine.run("first", case, settings).series["step"][-1] == 3 and len(machine.commands) == 1
    with pytest.raises(OSError, match="--gpus needs --device gpu"):
        paper.Machine(Path(binary).resolve(), "cpu", True, 100, tmp_path, tmp_path, 2)


def test_unknown_names_are_refused(tmp_path):
    for words, text in ((["nobody-1900"], "there are cohen-2009"), (["cohen-2009", "nothing"], "there are onset-free-slip-16")):
        line = [sys.executable, papers / "paper.py", *words, "--program", binary or "/bin/true", "--out", tmp_path / "none", "--device", "cpu"]
        said = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert said.returncode == 2 and text in said.stderr, said.stderr


@needs_program
def test_pieces_that_measure_times_can_be_left_out(tmp_path):
    line = [sys.executable, papers / "paper.py", "pekkila-2017", "--program", binary, "--out", tmp_path, "--device", "cpu", "--small", "--untimed", "speeds"]
    said = subprocess.run(line, capture_output=True, text=True, timeout=60, env=environment())
    assert said.returncode == 75 and "0 done, 0 failed, 1 open" in said.stdout, said.stdout + said.stderr


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="there is a GPU")
def test_a_host_without_a_gpu_is_named(tmp_path):
    line = [sys.executable, papers / "paper.py", "cohen-2009", "--program", binary or "/bin/true", "--out", tmp_path, "--list"]
    said = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert said.returncode == 2 and "no GPU" in said.stderr and "--device cpu" in said.stderr, said.stderr
