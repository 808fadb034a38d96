"""Files of earlier releases, tests/old/VERSION (tools/old_files.py): this version reads them, resumes from them and gets the same flow."""

import json
import shutil

import h5py
import numpy as np
import pytest
from conftest import root
from runs import call, needs_program, newest, succeed

import watersmeet

folders = sorted(path.parent for path in (root / "tests" / "old").glob("*/*/case.toml"))
pytestmark = needs_program


def of(folder):
    return "-".join(folder.parts[-2:])


@pytest.fixture(params=folders, ids=of)
def old(request, tmp_path):
    return shutil.copytree(request.param, tmp_path / "old")


def steps_of(folder):
    return int(newest(folder).stem.partition("_")[2])


def test_the_files_of_this_release_are_of_every_system():
    version = call("--version", cwd=root).stdout.split()[1]
    keys = json.loads(succeed("keys", "--json", cwd=root).stdout)
    cases = [(path / "case.toml").read_text() for path in (root / "tests" / "old" / version).glob("*")]
    if not cases:
        pytest.skip(f"no files of {version} yet: tools/old_files.py makes them before its tag")
    assert not [system for system in {key["system"] for key in keys} - {""} if not any(f'system = "{system}"' in case for case in cases)]
    assert sum(path.stat().st_size for path in (root / "tests" / "old").rglob("*") if path.is_file()) < 1e6


# Not the bits: another compiler or processor rounds otherwise, and a scheme may be improved.
def same_state(a, b):
    with h5py.File(newest(a)) as one, h5py.File(newest(b)) as other:
        assert set(one["arrays"]) == set(other["arrays"])
        for name, values in one["arrays"].items():
            scale = np.abs(values[()]).max() + 1e-300
            assert np.abs(values[()] - other["arrays"][name][()]).max() <= 1e-9 * scale, name


def test_a_case_and_its_resolved_form_are_still_valid(old):
    for name in ("case.toml", "resolved.toml"):
        assert "valid" in succeed("check", name, "--json", cwd=old).stdout


def test_a_run_goes_on_from_a_checkpoint(old):
    steps = steps_of(old)
    key = "steps_max" if "steps_max" in (old / "case.toml").read_text() else "steps"
    more = ("--set", f"time.{key}={steps + 2}")
    succeed("resume", ".", *more, cwd=old)
    succeed("run", "case.toml", "--dir", "new", *more, cwd=old)
    assert steps_of(old) == steps + 2
    same_state(old, old / "new")


def test_the_program_and_the_package_read_what_it_wrote(old):
    for path in sorted(old.glob("*.h5")) + sorted(old.glob("*.vtkhdf")) + [old]:
        succeed("info", path, cwd=old)
    run = watersmeet.open(old)
    assert run.series.rows > 0
    assert len(run.fields) == len([path for path in old.iterdir() if path.name.startswith("fields_")])
    for snapshot in run.fields:
        for name in snapshot:
            assert np.isfinite(np.asarray(snapshot[name])).all()
