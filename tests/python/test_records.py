"""Records of a release: tools/records.py counts how far they are behind the kernels; tools/gpu/validate.sh makes them in pieces, here on the CPU."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runs import binary, environment, needs_program

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tools"))
import records

pieces = """# a comment
verify-water | 1 | water | validation/water/verify-double.txt | verify double
wave         | 1 | water | validation/water/wave.txt          | run wave/case "=>" wave_map.png draw.py
pair         | 2 | all   | validation/ranks-2-CARD.txt      | script ranks.sh 2
speed        | 1 | water | bench/results/DEVICE/water.json    | bench --cells 8
"""


class Repository:
    def __init__(self, path):
        self.path = path
        self.git("init", "-q")
        self.git("config", "user.email", "a@b.c")
        self.git("config", "user.name", "a")

    def git(self, *words):
        return subprocess.run(["git", "-C", str(self.path), *words], capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, **files):
        """Writes files, whose names have __ for / and _DOT_ for a dot; returns the commit."""
        for name, text in files.items():
            path = self.path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "--short=12", "HEAD")


@pytest.fixture
def tree(tmp_path):
    made = Repository(tmp_path)
    made.first = made.commit(
        tools__gpu__records_DOT_txt=pieces, src__systems__water__variants_DOT_hpp='#include "systems/water/functors.hpp"\n#include "exec/loop.hpp"\n',
        src__systems__water__functors_DOT_hpp='#include "flux.hpp"\nint a;\n', src__systems__water__flux_DOT_hpp="int b;\n",
        src__exec__loop_DOT_hpp="#include <vector>\nint c;\n", src__systems__water__reading_DOT_cpp='#include "exec/loop.hpp"\n',
        src__systems__air__variants_DOT_hpp="int d;\n", src__exec__other_DOT_hpp="int e;\n")
    return made


def found(tree):
    return {record.path: record for record in records.records_of(records.Tree(tree.path))}


def test_kernels_are_what_the_loops_include(tree):
    listed = records.Tree(tree.path)
    assert listed.systems == ["air", "water"]
    assert listed.kernels("water") == [f"src/{name}.hpp" for name in ("exec/loop", "systems/water/flux", "systems/water/functors", "systems/water/variants")]
    assert "src/systems/air/variants.hpp" in listed.kernels("all") and "src/exec/other.hpp" not in listed.kernels("all")


def test_kernels_of_solvers_count_for_the_systems_that_use_them(tree):
    tree.commit(src__systems__air__system_DOT_cpp='#include "solve/solver.hpp"\n', src__solve__solver_DOT_hpp="int f;\n",
                src__solve__pass_cuda_DOT_cu='#include "solve/pass.hpp"\n', src__solve__pass_DOT_hpp="int g;\n")
    listed = records.Tree(tree.path)
    assert listed.kernels("air") == ["src/solve/pass.hpp", "src/solve/pass_cuda.cu", "src/systems/air/variants.hpp"]
    assert not any("solve" in file for file in listed.kernels("water"))


def test_how_far_records_are_behind(tree):
    tree.commit(validation__water__wave_DOT_txt=f"# watersmeet run wave/case; commit {tree.first}, NVIDIA H200, 2026-01-02\nok\n",
                validation__water__wave_DOT_png="", validation__water__wave_map_DOT_png="", validation__water__drawn_DOT_png="", validation__water__drawn_DOT_txt=f"# x; commit {tree.first}, CPU, 2026-01-02\n",
                bench__results__x__water_DOT_json=json.dumps({"commit": f"{tree.first} with local changes", "device": "X", "date": "2026-01-03T1"}))
    assert {r.behind for r in found(tree).values() if not r.missing and r.piece} == {0}
    assert found(tree)["validation/water/drawn.png"].commit == ""  # made by hand from a run, perhaps an earlier one
    (tree.path / "validation/water/drawn.png").unlink()
    (tree.path / "validation/water/drawn.txt").unlink()
    tree.commit(src__systems__air__variants_DOT_hpp="int dd;\n", src__systems__water__reading_DOT_cpp="int f;\n", src__exec__other_DOT_hpp="int ee;\n")
    tree.commit(src__systems__water__flux_DOT_hpp="// a comment\nint b;\n\n")
    assert {r.behind for r in found(tree).values() if not r.missing} == {0}  # none of these is a kernel of water, or more than a comment
    tree.commit(src__systems__water__flux_DOT_hpp="int bb;\n")
    tree.commit(README_DOT_md="after")
    known = found(tree)
    wave, picture, speed = (known[name] for name in ("validation/water/wave.txt", "validation/water/wave.png", "bench/results/x/water.json"))
    assert (wave.behind, wave.piece, wave.system, wave.device, wave.date, wave.changed) == (4, "wave", "water", "NVIDIA H200", "2026-01-02", False)
    for drawn in (picture, known["validation/water/wave_map.png"]):
        assert (drawn.behind, drawn.piece, drawn.commit) == (4, "wave", tree.first[:8])
    assert (speed.behind, speed.piece, speed.changed, speed.device, speed.date) == (4, "speed", True, "X", "2026-01-03")
    assert {name for name, record in known.items() if record.missing} == {"validation/water/verify-double.txt", "validation/ranks-2-CARD.txt"}
    lines = list(records.warnings_of(known.values(), 3))
    assert lines[0] == ("water: 4 records are more than 3 commits behind the last change of its kernels, most of all bench/results/x/water.json, 4")
    assert lines[1:] == ["all: not made yet: validation/ranks-2-CARD.txt", "water: not made yet: validation/water/verify-double.txt"]
    assert len(list(records.warnings_of(known.values(), 4))) == 2


def test_records_that_do_not_carry_their_commit(tree):
    tree.commit(validation__water__old_DOT_txt="rows\n")
    (tree.path / "validation/made-at.txt").write_text(f"# a comment\nvalidation/water/old.txt   {tree.first}   NVIDIA H100\nvalidation/*  0123456789ab  X\n")
    tree.commit(validation__other_DOT_txt="rows\n", validation__README_DOT_md="a page", bench__results__x__free_DOT_txt="rows\n")
    tree.commit(validation__papers__one__results__part_DOT_json=json.dumps({"commit": tree.first, "system": "air", "device": "X", "date": "2026-01-03"}),
                validation__papers__one__figures__part_DOT_png="")
    known = found(tree)
    piece = known["validation/papers/one/results/part.json"]
    assert (piece.system, piece.behind, piece.date) == ("air", 0, "2026-01-03") and "validation/papers/one/figures/part.png" not in known
    assert (known["validation/water/old.txt"].commit, known["validation/water/old.txt"].device, known["validation/water/old.txt"].behind) == (tree.first[:8], "NVIDIA H100", 0)
    assert known["validation/other.txt"].behind is None and known["bench/results/x/free.txt"].commit == ""
    assert "all: of no known commit: bench/results/x/free.txt, validation/other.txt" in list(records.warnings_of(known.values(), 9))
    assert "validation/README.md" not in known and "validation/made-at.txt" not in known


def test_measurements_that_stay_are_listed_apart(tree):
    stays = "- | - | air | bench/results/old/* | of a card that is gone\n"
    tree.commit(bench__results__old__water_DOT_json=json.dumps({"commit": tree.first, "device": "X"}), tools__gpu__records_DOT_txt=pieces + stays)
    tree.commit(src__systems__air__variants_DOT_hpp="int dd;\n", src__systems__water__flux_DOT_hpp="int bb;\n")
    listed = found(tree)
    old = listed["bench/results/old/water.json"]
    assert (old.system, old.stays, old.behind) == ("air", "of a card that is gone", 2)
    assert not any("old" in line for line in records.warnings_of(listed.values(), 0))
    assert "speed" in {record.piece for record in listed.values() if record.missing}  # that of another card is no record of the piece
    page = records.page_of(records.Tree(tree.path), list(listed.values()))
    assert "| [results/old/water.json](../bench/results/old/water.json) | " in page and "| of a card that is gone |" in page


def test_the_command(tree, capsys, tmp_path):
    assert records.main(["--root", str(tree.path), "--warn"]) == 0 and "4 records, 3 warnings" in capsys.readouterr().out
    (tree.path / "validation").mkdir()
    assert records.main(["--root", str(tree.path), "--write"]) == 0
    page = (tree.path / "validation/records.md").read_text()
    assert "4 records, 2 warnings" in subprocess.run([sys.executable, records.__file__, "--root", tree.path, "--warn"], capture_output=True, text=True).stdout
    assert "| validation/water/wave.txt | water | wave |" in page and "## Not made yet" in page
    assert records.main(["--root", str(tree.path)]) == 0 and "missing" in capsys.readouterr().out
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{tree.path}", str(shallow)], check=True)
    assert records.main(["--root", str(shallow), "--warn"]) == 0 and "shallow" in capsys.readouterr().out


@pytest.mark.skipif(not records.Tree(root).has_history, reason="no history")
def test_the_records_of_this_tree():
    tree = records.Tree(root)
    assert set(tree.systems) == {"isothermal", "mhd", "multicomponent", "boussinesq", "aerodynamics", "shallow_water", "atmosphere"}
    rows = records.pieces_of(tree)
    assert len({name for name, *_ in rows}) == len(rows) == len({record for _, _, record, _ in rows})
    known = records.records_of(tree)
    assert [r.path for r in known if not r.missing and r.commit and r.behind is None] == []  # all commits are in the history
    assert [r.path for r in known if not r.missing and not r.commit] == []
    for line in (root / "tools/gpu/records.txt").read_text().splitlines():
        words = line.split("|")[-1].split()
        if words and words[0] in ("run", "judge", "resume") and not line.startswith("#"):
            drawn = [place for place, word in enumerate(words) if word == '"=>"']
            for case in words[1 : words.index("--") if "--" in words else drawn[0] if drawn else None]:
                assert (root / f"examples/{case}.toml").exists(), line
            for place in drawn:
                assert (root / words[place + 2]).exists(), line


def validate(place, table, *words, program=binary, **more):
    """validate.sh of a folder with a table of its own, on the CPU with the sources in place of a pack."""
    tools = place / "tools/gpu"
    tools.mkdir(parents=True, exist_ok=True)
    shutil.copy(root / "tools/gpu/validate.sh", tools)
    (tools / "records.txt").write_text(table)
    (place / "draw.py").write_text("import pathlib, sys\ncolour, run, picture = sys.argv[1:]\n"
                                   "pathlib.Path(picture).write_text(colour + ' ' + pathlib.Path(run, 'case.toml').read_text())\n")
    line = ["bash", tools / "validate.sh", root, place / "out", "--device", "cpu", *words]
    return subprocess.run(list(map(str, line)), capture_output=True, text=True, timeout=200, env=environment(WATERSMEET_BINARY=str(program), **more))


tiny = """tube   | 1 | multicomponent | validation/multicomponent/tube.txt | judge sod/quick interface-advection/quick "=>" drawn.png draw.py red "=>" again.png draw.py blue
coarse | 1 | multicomponent | validation/multicomponent/coarse.txt | run sod/quick -- --set "grid.cells=[20, 1, 1]"
speed  | 1 | shallow_water | bench/results/DEVICE/water.json | bench --cells 32 --only "double march" --repeats 1 --seconds 0.001
again  | 1 | multicomponent | validation/multicomponent/again.txt | resume sod/quick
pair   | 2 | all | validation/ranks-2-CARD.txt | script ranks.sh 2
"""


@needs_program
def test_pieces_are_made_once(tmp_path):
    pytest.importorskip("matplotlib")
    listed = validate(tmp_path, tiny, "--list")
    assert [line.split()[:2] for line in listed.stdout.splitlines()] == [["tube", "open"], ["coarse", "open"], ["speed", "open"], ["again", "open"], ["pair", "gpus"]]
    assert not list((tmp_path / "out/records").rglob("*.*"))
    one = validate(tmp_path, tiny, "tube", "spe*", "resume")
    made = tmp_path / "out/records"
    assert one.returncode == 0 and "3 done, 0 failed" in one.stdout, one.stdout + one.stderr
    text = (made / "validation/multicomponent/tube.txt").read_text().splitlines()
    assert records.MADE.match(text[0])[3] == "CPU" and text[1] == "sod/quick" and "checks hold" in "".join(text)
    pictures = {path.name: path.read_text().split()[0] for path in made.rglob("*.png")}
    assert pictures == {"drawn.png": "red", "again.png": "blue"} and "nothing differs" in (made / "validation/multicomponent/again.txt").read_text()
    assert json.loads((made / "bench/results/cpu/water.json").read_text())["benchmark"] == "shallow_water"
    assert not list((tmp_path / "out/work").iterdir())
    whole = validate(tmp_path, tiny)
    assert whole.returncode == 1 and "3 done, 1 failed, 0 longer than a call, 0 open, 1 need more GPUs" in whole.stdout, whole.stdout + whole.stderr
    assert {path.name for path in made.rglob("*.png")} == {"coarse.png", *pictures}
    assert "tube: done" not in whole.stdout and "coarse: FAILED" in whole.stdout  # 20 cells are too few for the check
    other = tmp_path / "program"
    other.write_text(f'#!/bin/sh\n[ "$1" = --version ] || exec {binary} "$@"\necho "watersmeet 9 (commit abcdef012345, Release)"\n')
    other.chmod(0o755)
    assert validate(tmp_path, tiny, "tube", "--list", program=other).stdout.split()[:2] == ["tube", "open"]  # of another commit
    assert validate(tmp_path, tiny, "nothing").returncode == 2 and validate(tmp_path, tiny, "--minutes", "x").returncode == 2


@needs_program
def test_pieces_are_made_at_once_but_those_that_measure_times(tmp_path):
    pytest.importorskip("matplotlib")
    watched = tmp_path / "program"  # notes when runs and benchmarks begin and end
    watched.write_text(f'#!/bin/sh\necho "begin $1" >>{tmp_path}/notes\n[ "$1" != run ] || sleep 1\n{binary} "$@"\nstatus=$?\necho "end $1" >>{tmp_path}/notes\nexit $status\n')
    watched.chmod(0o755)
    table = """speed  | 1 | shallow_water | bench/results/DEVICE/water.json | bench --cells 32 --only "double march" --repeats 1 --seconds 0.001
one | 1 | multicomponent | validation/multicomponent/one.txt | judge sod/quick
two | 1 | multicomponent | validation/multicomponent/two.txt | judge gas-liquid-tube/quick
"""
    done = validate(tmp_path, table, "--jobs", "2", "--minutes", "1.5", program=watched)
    assert done.returncode == 0 and "3 done, 0 failed" in done.stdout and "one: done in" in done.stdout, done.stdout + done.stderr
    notes = [note for note in (tmp_path / "notes").read_text().splitlines() if note.split()[1] in ("run", "bench")]
    assert notes == ["begin run", "begin run", "end run", "end run", "begin bench", "end bench"]
    assert validate(tmp_path, table, "--jobs", "0").returncode == 2


@needs_program
def test_a_paper_is_a_piece_of_the_records(tmp_path):
    table = "paper | 1 | boussinesq | validation/papers/cohen-2009/results/*.json | paper cohen-2009 --small onset-free-slip-16\n"
    (tmp_path / "tools/gpu").mkdir(parents=True)
    (tmp_path / "tools/gpu/paper.sh").symlink_to(root / "tools/gpu/paper.sh")
    done = validate(tmp_path, table)
    assert done.returncode == 0 and "paper: done" in done.stdout, done.stdout + done.stderr
    result = json.loads((tmp_path / "out/records/validation/papers/cohen-2009/results/onset-free-slip-16.json").read_text())
    assert result["system"] == "boussinesq" and result["values"]["critical"] > 600
    assert not list((tmp_path / "out/work").iterdir())


@needs_program
def test_a_run_goes_on_where_the_call_before_ended(tmp_path):
    pytest.importorskip("matplotlib")
    short = tmp_path / "program"  # the first call has no time
    short.write_text(f'#!/bin/sh\n[ "$1" != run ] || [ -f {tmp_path}/second ] || {{ touch {tmp_path}/second; set -- "$@" --wall 0.001; }}\nexec {binary} "$@"\n')
    short.chmod(0o755)
    table = "lock | 1 | boussinesq | validation/boussinesq/lock.txt | run lock-exchange/quick\n"
    first = validate(tmp_path, table, program=short)
    assert first.returncode == 75 and "lock: to be continued" in first.stdout and "1 open" in first.stdout, first.stdout + first.stderr
    assert list((tmp_path / "out/work/lock/lock-exchange-quick").glob("checkpoint_*"))
    second = validate(tmp_path, table, program=short)
    assert second.returncode == 0 and "lock: done" in second.stdout, second.stdout + second.stderr
    log = (tmp_path / "out/logs/lock.log").read_text()
    assert "checks hold" in (tmp_path / "out/records/validation/boussinesq/lock.txt").read_text() and "stopping at step" in log


@needs_program
def test_a_piece_that_needs_more_than_a_call_is_left_out(tmp_path):
    slow = tmp_path / "program"  # `timeout` of the script, with a twentieth of the time
    slow.write_text(f'#!/bin/sh\n[ "$1" != verify ] || {{ echo row; exec sleep 300; }}\nexec {binary} "$@"\n')
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/timeout").write_text('#!/bin/sh\nshift\nexec /usr/bin/timeout 2 "$@"\n')
    for file in (slow, tmp_path / "bin/timeout"):
        file.chmod(0o755)
    table = "long | 1 | water | validation/water/long.txt | verify double\n"
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    one = validate(tmp_path, table, program=slow, PATH=path)
    assert one.returncode == 1 and "long: 10 minutes are not enough" in one.stdout and "1 longer than a call" in one.stdout, one.stdout + one.stderr
    assert not (tmp_path / "out/records/validation/water/long.txt").exists()
    assert "long: " not in validate(tmp_path, table, program=slow, PATH=path).stdout


@needs_program
def test_pieces_of_a_host_with_gpus(tmp_path):
    """What is asked of nvidia-smi, and scripts: here of the same names in a folder of their own."""
    (tmp_path / "bin").mkdir()
    smi = tmp_path / "bin/nvidia-smi"
    smi.write_text('#!/bin/sh\ncase "$1" in -L) echo GPU 0; echo GPU 1;; *) echo "NVIDIA H100 80GB HBM3"; echo "NVIDIA H100 80GB HBM3";; esac\n')
    smi.chmod(0o755)
    table = """pair | 2 | all | validation/ranks-2-CARD.txt | script ranks.sh 2
many | 3 | all | validation/ranks-3-CARD.txt | script ranks.sh 3
fit  | 2 | isothermal | bench/results/DEVICE/scaling.json | script ranks.sh 7 "->" fit.py
"""
    tools = tmp_path / "tools"
    (tools / "gpu").mkdir(parents=True)
    (tools / "gpu/ranks.sh").write_text('echo "pack $(basename "$1") arguments ${*:3}"; echo "${@:3}" >"$2/number"\n')
    (tools / "fit.py").write_text("import sys\nopen(sys.argv[2], 'w').write('{\"n\": ' + open(sys.argv[1] + '/number').read() + '}')\n")
    done = validate(tmp_path, table, "--device", "gpu", PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert done.returncode == 0 and "2 done, 0 failed, 0 longer than a call, 0 open, 1 need more GPUs" in done.stdout, done.stdout + done.stderr
    head, line = (tmp_path / "out/records/validation/ranks-2-h100.txt").read_text().splitlines()
    assert records.MADE.match(head)[3] == "NVIDIA H100 80GB HBM3" and line.endswith("arguments 2")
    assert json.loads((tmp_path / "out/records/bench/results/nvidia-h100/scaling.json").read_text()) == {"n": 7}


def test_options_are_checked(tmp_path):
    for words in ([], ["only"], ["a", "b", "--device", "tpu"], ["a", "b", "--what"]):
        assert subprocess.run(["bash", root / "tools/gpu/validate.sh", *words], cwd=tmp_path, capture_output=True).returncode == 2, words
    assert not os.listdir(tmp_path) or os.listdir(tmp_path) == ["b"]
