"""Files that were made to do harm: they are refused with a message and a documented status, nothing outside the run folder is read through them
or written, and memory stays below a bound.
"""

import re
import resource
import shutil
import subprocess

import h5py
import numpy as np
import pytest
from conftest import root
from runs import binary, call, environment, flow, needs_program, newest, succeed

pytestmark = needs_program

case = """[case]
system = "shallow_water"
[grid]
cells = [8, 6, 1]
upper = [8.0, 6.0, 1.0]
[time]
steps = 2
[tables.bed]
file = "bed.nc"
field = "bed"
[physics]
bed = "-1 + 0.01*bed(x, y)"
[[initial]]
surface = "0"
[output]
overview = false
"""


def axes(file):
    for name, size in (("x", 8), ("y", 6)):
        file[name] = np.arange(size, dtype="f8")


def limited(*words, cwd, memory=2 << 30):
    """The program with so little memory to reserve that sizes in a file cannot be believed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return subprocess.run([binary, *map(str, words)], cwd=cwd, env=environment(), capture_output=True, text=True, timeout=60, preexec_fn=limit)


def link(file, place):
    with h5py.File(place / "other.h5", "w") as other:
        other["secret"] = np.full((6, 8), 42.0)
    file["bed"] = h5py.ExternalLink("other.h5", "secret")


def link_of_a_group(file, place):
    with h5py.File(place / "other.h5", "w") as other:
        other["bed"] = np.full((6, 8), 42.0)
    file["group"] = h5py.ExternalLink("other.h5", "/")


def raw_storage(file, place):
    (place / "secret").write_bytes(bytes(6 * 8 * 8))
    file.create_dataset("bed", (6, 8), "f8", external=[("secret", 0, 6 * 8 * 8)])


def virtual(file, place):
    link(file, place)
    del file["bed"]
    layout = h5py.VirtualLayout((6, 8), "f8")
    layout[:] = h5py.VirtualSource("other.h5", "secret", (6, 8))
    file.create_virtual_dataset("bed", layout)


@pytest.mark.parametrize("make", [link, link_of_a_group, raw_storage, virtual])
def test_values_of_another_file_are_not_read(make, tmp_path):
    with h5py.File(tmp_path / "bed.nc", "w") as file:
        axes(file)
        make(file, tmp_path)
    (tmp_path / "case.toml").write_text(case.replace('field = "bed"', 'field = "group/bed"') if make is link_of_a_group else case)
    result = call("check", "case.toml", cwd=tmp_path)
    assert result.returncode in (2, 3)
    assert "another file" in result.stderr or "no field `group/bed`" in result.stderr
    assert "42" not in result.stdout


@pytest.mark.parametrize("options", [{}, {"chunks": (64, 64)}, {"chunks": (1024, 1024), "compression": "gzip"}])
def test_a_size_that_the_file_does_not_hold_is_refused(options, tmp_path):
    with h5py.File(tmp_path / "bed.nc", "w") as file:
        for name in ("x", "y"):
            file.create_dataset(name, (30000,), "f8", fillvalue=1.0, **{k: v if k != "chunks" else v[:1] for k, v in options.items()})
        file.create_dataset("bed", (30000, 30000), "f8", **options)
    (tmp_path / "case.toml").write_text(case)
    result = limited("check", "case.toml", cwd=tmp_path)
    assert result.returncode in (2, 3)
    assert "claims to hold" in result.stderr


# HDF5 1.10.8 reads memory that is not its own with this one (H5HG_read); other versions may refuse it.
def test_a_failure_of_the_library_is_a_message(tmp_path):
    shutil.copy(root / "tests/fuzz/corpus/table/signal-in-hdf5", tmp_path / "bed.nc")
    (tmp_path / "case.toml").write_text(case.replace('field = "bed"', 'field = "group/bed"'))
    result = call("check", "case.toml", cwd=tmp_path)
    assert result.returncode in (2, 3)
    assert "bed.nc" in result.stderr


@pytest.mark.parametrize("name, message", [("time-of-many-values", "/time is not one number"), ("block-size-overflow", "the size of block_0 is 9223372036854775807 x")])
def test_a_snapshot_of_other_shapes_is_refused(name, message, tmp_path):
    shutil.copy(root / "tests/fuzz/corpus/snapshot" / name, tmp_path / "fields_000001.vtkhdf")
    result = call("info", "fields_000001.vtkhdf", cwd=tmp_path)
    assert result.returncode == 3
    assert message in result.stderr


@pytest.fixture
def run(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    succeed("run", "flow.toml", "--dir", "run", "--set", "output.checkpoint_every_steps=5", cwd=tmp_path)
    return tmp_path / "run"


@pytest.mark.parametrize("name", ["log.txt", "telemetry.jsonl", "run.json.part", "series.csv.part", "resolved.toml.part", "fields_000025.vtkhdf.part",
                                  "checkpoint_000025.h5.part"])
def test_a_run_folder_whose_files_are_links_is_not_written_through(run, name):
    outside = run.parent / "outside"
    outside.write_text("mine\n")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(outside)
    result = call("resume", "run", "--set", "time.steps=25", "--set", "output.checkpoint_every_steps=5", cwd=run.parent)
    assert outside.read_text() == "mine\n"
    assert result.returncode in (0, 3)
    assert result.returncode == 0 or "link" in result.stderr


def test_a_folder_of_kept_files_that_is_a_link_is_not_written_into(tmp_path):
    with h5py.File(tmp_path / "bed.nc", "w") as file:
        axes(file)
        file["bed"] = np.zeros((6, 8))
    (tmp_path / "case.toml").write_text(case)
    succeed("run", "case.toml", "--dir", "run", cwd=tmp_path)
    (tmp_path / "outside").mkdir()
    shutil.rmtree(tmp_path / "run/inputs")
    (tmp_path / "run/inputs").symlink_to(tmp_path / "outside")
    resolved = tmp_path / "run/resolved.toml"
    resolved.write_text(resolved.read_text().replace("inputs/bed.nc", str(tmp_path / "bed.nc")))
    result = call("resume", "run", "--set", "time.steps=4", cwd=tmp_path)
    assert list((tmp_path / "outside").iterdir()) == []
    assert result.returncode in (0, 3)


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "..", "", "a/../../outside", "$(touch outside)", "`touch outside`; touch outside"])
def test_a_name_of_a_case_stays_a_name(name, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "flow.toml").write_text(flow.replace("[case]\n", f"[case]\nname = '{name}'\n").replace("steps = 20", "steps = 1"))
    result = call("run", "flow.toml", cwd=work)
    assert result.returncode in (0, 2, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["work"]
    assert {path.name for path in work.iterdir()} <= {"flow.toml", "runs"}


def test_words_of_a_site_and_a_case_run_nothing_in_a_job_script(tmp_path):
    (tmp_path / "flow.toml").write_text(flow.replace("[case]\n", "[case]\nname = '$(touch outside)'\n"))
    (tmp_path / "site.toml").write_text("""[site]
modules = ["$(touch outside)", "a; touch outside", "a'b"]
srun = ["--comment=`touch outside`"]
directives = ["--comment=$(touch outside)"]
[environment]
A = "$(touch outside)"
B = "'; touch outside; '"
""")
    result = call("slurm", "flow.toml", "--site", "site.toml", "--time", "1h", cwd=tmp_path)
    assert result.returncode in (0, 2)
    if result.returncode == 0:
        # Without what belongs to Slurm: the shell must find nothing to run in the words.
        bare = re.sub(r"^(if|  export|fi|srun|exec).*$", "", result.stdout, flags=re.MULTILINE)
        subprocess.run(["bash", "-c", "module() { :; }; srun() { :; }; scontrol() { :; }\n" + bare], cwd=tmp_path, timeout=20, capture_output=True)
    assert not (tmp_path / "outside").exists()


def test_a_damaged_checkpoint_with_a_new_seal_is_refused(run):
    """Structure that the library accepts and the program does not expect."""
    import zlib

    path = newest(run)
    for what in ("no arrays", "wrong shape", "wrong type", "link", "long text", "no numbers"):
        content = path.read_bytes()
        other = run.parent / "checkpoint_000099.h5"
        other.write_bytes(content[: content.rfind(b"size=")])
        with h5py.File(other, "r+") as file:
            name = next(iter(file["arrays"]))
            if what == "no arrays":
                del file["arrays"]
            elif what == "wrong shape":
                del file["arrays"][name]
                file["arrays"][name] = np.zeros((2, 2, 2))
            elif what == "wrong type":
                del file["arrays"][name]
                file["arrays"][name] = np.zeros((8, 10, 12), dtype="i4")
            elif what == "link":
                del file["arrays"][name]
                file["arrays"][name] = h5py.ExternalLink("other.h5", name)
            elif what == "long text":
                file.attrs.modify("format", "x" * 40000)
            else:
                file.attrs["n"] = np.array([1 << 62, 1 << 62, 3], dtype="i8")
        body = other.read_bytes()
        start = f"size={len(body)} skip= ".encode()
        line = start + f"crc32={zlib.crc32(start, zlib.crc32(body)):08x}\n".encode()
        other.write_bytes(body + line + f"sealed {len(line) + 16:08}\n".encode())
        result = limited("info", other, cwd=run.parent)
        assert result.returncode == 3, what + result.stdout
        assert "checkpoint_000099.h5" in result.stderr, what
