"""What tests of runs on several ranks share: their words, cases cut in several ways, and comparisons to the last bit."""

import json
import math
import subprocess

import h5py
import numpy as np
import pytest
import watersmeet
from runs import Running, arrays, assert_same_end, binary, settings, succeed


def built_with_mpi():
    return binary is not None and "no MPI" not in subprocess.run([binary, "--version"], capture_output=True, text=True).stdout


on_ranks = pytest.mark.skipif(not built_with_mpi(), reason="built without MPI")


def ranks_words(count, *more):
    return ["--device", "cpu", *(["--ranks", count] if count > 1 else []), *more]


def run_case(case, folder, *words, place):
    """The folder of a run of the text of a case on one rank."""
    (place / "case.toml").write_text(case)
    succeed("run", "case.toml", "--dir", folder, *words, *ranks_words(1), cwd=place)
    return place / folder


def last_field(folder, field):
    """A field of the last snapshot, in double."""
    return np.asarray(watersmeet.open(folder).fields[-1][field], dtype=float)


def assert_same_run(a, b):
    """Every number that two runs wrote is the same to the last bit."""
    assert_same_end(a, b)
    ending = "h5" if any(a.glob("fields_*.h5")) else "vtkhdf"
    snapshots = sorted(p.name for p in a.glob(f"fields_*.{ending}"))
    assert snapshots == sorted(p.name for p in b.glob(f"fields_*.{ending}")) and len(snapshots) > 1
    for name in snapshots:
        assert arrays(a / name) == arrays(b / name)


def assert_same_maps(a, b, names):
    """The files of maps of two runs have these names, and every number in them is the same to the last bit."""
    for run in (a, b):
        assert sorted(path.name for path in run.glob("latlon_*.nc")) == names
    for name in names:
        with h5py.File(a / name) as one, h5py.File(b / name) as other:
            assert {key: one[key][()].tobytes() for key in one} == {key: other[key][()].tobytes() for key in other}


def assert_same_on_ranks(place, cuts, words=(), more=(), case="flow.toml"):
    """A case gives the same run on one rank and cut in each of these ways: a number of ranks, or of ranks along x, y and z. Runs
    on several ranks get `more` words. What they say and their folders, by cut."""
    name = case.removesuffix(".toml")
    succeed("run", case, "--dir", f"{name}-one", *words, *ranks_words(1), cwd=place)
    runs = []
    for cut in cuts:
        layout = [] if isinstance(cut, int) else settings(device__ranks_along=json.dumps(cut))
        count = cut if isinstance(cut, int) else math.prod(cut)
        folder = place / f"{name}-{str(cut).strip('[]').replace(', ', 'x')}"
        result = succeed("run", case, "--dir", folder.name, *words, *more, *layout, *ranks_words(count), cwd=place)
        assert_same_run(place / f"{name}-one", folder)
        runs.append((result.stdout, folder))
    return runs


def run_in_parts(place, folder, parts, words=(), case="flow.toml"):
    """A run that resumes its checkpoint again and again: until which step, and on how many ranks."""
    for n, (steps, ranks) in enumerate(parts):
        begin = ["resume", folder] if n else ["run", case, "--dir", folder, *words]
        succeed(*begin, *settings(time__steps=steps), *ranks_words(ranks), cwd=place)


def files_of_a_killed_run(place, words, pattern, future=None):
    """A run of flow.toml to its end, and one that is killed and resumed with two ranks: the pairs of their files of this pattern, of the
    same names. A file of steps that were never taken, left in the folder, is set aside."""
    words = [*words, *settings(output__checkpoint_every_steps=10, output__series_every_steps=1)]
    one, killed = place / "one", place / "killed"
    succeed("run", "flow.toml", "--dir", "one", *words, *ranks_words(1), cwd=place)
    with Running("run", "flow.toml", "--dir", "killed", *words, *ranks_words(1), cwd=place) as run:
        run.wait_for_rows(killed, 40)
        run.kill()
    if future:
        (killed / future).write_bytes(b"of a future that was")
    succeed("resume", "killed", *ranks_words(2), cwd=place)
    assert future is None or (killed / f"{future}.old").exists()
    names = [sorted(path.name for path in folder.glob(pattern)) for folder in (one, killed)]
    assert names[0] == names[1]
    return [(one / name, killed / name) for name in names[0]]
