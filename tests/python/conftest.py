"""Shared by the Python tests: the package comes from this checkout, runs from synthetic.py."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

root = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "python"), str(Path(__file__).resolve().parent)]
# The compiled module of the package is in the build folder; commands that tests run find it there too.
build = os.environ.get("WATERSMEET_BUILD")
if build:
    sys.path.insert(1, str(Path(build) / "python"))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(root / "python"), str(Path(build) / "python"), os.environ.get("PYTHONPATH", "")])

# Tests run side by side: ranks and threads that wait for each other leave the processors to those that compute.
os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
# Ranks of one host need no search for networks, with which Open MPI begins: nearly half of the time of a small run on two.
os.environ.setdefault("OMPI_MCA_pml", "ob1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import runs
import synthetic


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    item.failed_once = getattr(item, "failed_once", False) or report.failed


@pytest.fixture
def tmp_path(tmp_path, request):
    """pytest's own. What a test writes stays only where it fails: together tests write gigabytes, which ./wm test has in memory."""
    yield tmp_path
    if not request.node.failed_once:
        shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.fixture
def run_path(tmp_path):
    """A small finished run; the folder has the name that the documentation's examples use."""
    return synthetic.sample_run(tmp_path / "runs" / "forced-turbulence-001")


@pytest.fixture
def pseudo_terminal():
    """Master and slave of a pseudo-terminal; the test is skipped where the machine has none (a bare chroot)."""
    import pty
    try:
        return pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal: {error}")


@pytest.fixture
def place(tmp_path):
    (tmp_path / "flow.toml").write_text(runs.flow)
    return tmp_path


@pytest.fixture(scope="module")
def example_run(tmp_path_factory):
    """example_run(name, file) is the folder of a run of that file of an example, made once."""
    made = {}

    def run(name, file="quick"):
        if (name, file) not in made:
            folder = tmp_path_factory.mktemp(f"{name}-{file}")
            runs.succeed("run", root / "examples" / name / f"{file}.toml", "--device", "cpu", "--dir", folder / "run", "--set",
                         "output.overview=false", cwd=folder, timeout=600)
            made[name, file] = folder / "run"
        return made[name, file]

    return run


@pytest.fixture
def small_disk(place):
    """A disk of 2 MiB."""
    mounted = place / "disk"
    mounted.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", mounted]
    if os.geteuid() != 0 or subprocess.run(line, capture_output=True).returncode != 0:
        pytest.skip("only root can mount a small disk")
    yield mounted
    subprocess.run(["umount", "-l", mounted], check=True)
