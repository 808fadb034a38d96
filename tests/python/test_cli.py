"""The command line as users meet it: words, exit statuses, messages, JSON, colours, and what each command leaves behind.
"""

import json
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from runs import binary, needs_program

pytestmark = needs_program

root = Path(__file__).resolve().parents[2]
golden = root / "tests" / "golden" / "input"
commands = ["run", "resume", "new", "check", "keys", "info", "bench", "verify", "diff", "mesh", "slurm", "plot", "watch", "stop"]

good_case = """[case]
system = "isothermal"
[grid]
cells = [16, 8, 8]
upper = ["2*pi", "pi", "pi"]
[time]
steps = 4
[[initial]]
velocity = ["0.1*sin(x)", "0", "0"]
[output]
overview = false
"""


def call(*words, cwd=None, env=None, timeout=120):
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "WATERSMEET_EXAMPLES")}
    environment.update(OMP_NUM_THREADS="1", TERM="xterm")
    environment.update(env or {})
    return subprocess.run(
        [binary, *map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout
    )


def faults_of(result):
    """The faults of a call with --json, whose form is checked."""
    faults = json.loads(result.stdout)
    assert faults and result.stderr == ""
    for fault in faults:
        assert {"file", "line", "column", "key", "found", "allowed", "suggestion", "kind", "message"} <= set(fault)
    return faults


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case.toml").write_text(good_case)
    return tmp_path / "case.toml"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a case and its finished run `a`."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "case.toml").write_text(good_case)
    result = call("run", "case.toml", "--dir", "a", "--device", "cpu", cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


# ---- words ----------------------------------------------------------------------------------------------------------


def test_help_lists_every_command_with_one_sentence():
    result = call("--help")
    assert result.returncode == 0 and result.stderr == ""
    listed = dict(re.findall(r"^  (\w+) +(.*)$", result.stdout, re.MULTILINE))
    for name in commands:
        assert listed[name].endswith(".") and listed[name].count(". ") == 0
    assert call("help").stdout == result.stdout == call("-h").stdout


@pytest.mark.parametrize("name", commands)
def test_each_command_explains_itself_and_its_flags(name):
    result = call(name, "--help")
    assert result.returncode == 0 and result.stderr == ""
    assert result.stdout.startswith(f"usage: watersmeet {name}")
    assert f"watersmeet {name}" in result.stdout.split("examples:")[1]
    for flag in ("--json", "--quiet", "--color"):
        assert flag in result.stdout


def test_version_names_commit_and_libraries():
    text = call("--version").stdout
    assert re.match(r"watersmeet \d+\.\d+\.\d+ \(commit [0-9a-z ]+, \w+, .*HDF5 1\.\d+\.\d+ (serial|parallel)\)\n$", text), text


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="no qemu-user")
def test_a_processor_that_lacks_instructions_is_told():
    """Before anything that needs them, such as the constants of all files."""
    result = subprocess.run(["qemu-x86_64", "-cpu", "Nehalem", binary, "--version"], capture_output=True, text=True, timeout=300)
    if result.returncode != 0:  # else the program was compiled for all processors
        assert result.returncode == 2 and "this one lacks; build it from the sources on this machine:  ./wm build" in result.stderr, result.stderr


def test_no_words_show_the_help_and_fail():
    result = call()
    assert result.returncode == 2 and result.stdout == "" and "usage:" in result.stderr


@pytest.mark.parametrize(
    "words, expected",
    [
        (["resme", "x"], "did you mean `resume`?"),
        (["chekc"], "did you mean `check`?"),
        (["restart", "x"], "did you mean `resume`?"),
        (["case.toml"], "watersmeet run case.toml"),
        (["run", "x", "--set-key", "a=b"], "has no flag `--set-key`"),
        (["run", "x", "--quite"], "did you mean `--quiet`?"),
        (["--jsno", "run"], "did you mean `--json`?"),
        (["run", "x", "--series"], "`--series` belongs to: watersmeet info"),
        (["run", "x", "--unitl", "3"], "`--until` belongs to: watersmeet resume"),
        (["run", "x", "--device", "gpuu"], "did you mean `gpu`?"),
        (["run", "x", "--dir"], "needs a value: --dir DIR"),
        (["run", "x", "--dir", "--quiet"], "needs a value: --dir DIR"),
        (["run", "x", "--threads", "two"], "`--threads` must be a whole number"),
        (["check", "sod", "--threads", "5000"], "`--threads` must be a whole number greater than 0, at most 4096; not `5000`"),
        (["run", "x", "--quiet=3"], "`--quiet` takes no value"),
        (["run"], "needs CASE"),
        (["diff", "a"], "only `a` was given"),
        (["stop", "a", "b"], "takes no further argument `b`"),
        (["run", "x", "time.end=2"], "did you mean `--set time.end=2`?"),
        (["run", "x", "--time.end", "2"], "did you mean `--set time.end=VALUE`?"),
        (["check", "x", "--time.end=2"], "did you mean `--set time.end=2`?"),
        (["run", "x", "y.toml"], "takes no further argument `y.toml`"),
        (["keys", "tim"], "did you mean `time`?"),
        (["keys", "clf"], "did you mean `time.cfl`?"),
    ],
)
def test_mistyped_words_name_the_nearest_right_one(words, expected, tmp_path):
    result = call(*words, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == "" and result.stderr.startswith("error[")
    assert expected in result.stderr
    assert result.stderr.count("error[") == 1
    told = faults_of(call(*words, "--json", cwd=tmp_path))
    assert len(told) == 1 and told[0]["message"] in result.stderr
    assert not list(tmp_path.iterdir())


def test_flags_stand_anywhere_and_repeat(case):
    words = ["--set", "time.cfl=0.3", "--set=grid.cells=[12, 8, 8]"]
    for line in (["check", case.name, *words, "--json"], ["--json", "check", *words, case.name]):
        told = json.loads(call(*line, cwd=case.parent).stdout)
        assert told["cells"] == [12, 8, 8]


# ---- exit statuses and messages ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(golden.glob("*.toml")), ids=lambda p: p.stem)
def test_wrong_cases_are_refused_with_the_expected_text(path):
    # These texts name keys or systems that the test's own table of keys has and the program's has not, or the reverse.
    own_table = {"02", "03", "04", "07", "08", "09", "12", "26", "28", "29", "39", "40", "41", "45", "47", "48", "49", "50", "51"}
    first = path.read_bytes().split(b"\n", 1)[0].decode(errors="replace")
    options = first[len("# options: "):].split() if first.startswith("# options: ") else []
    flags = [word for option in options for word in ("--set", option)]
    result = call("check", path.name, *flags, cwd=golden)
    assert result.returncode == 2 and result.stdout == ""
    if path.name[:2] not in own_table:
        assert result.stderr == path.with_suffix(".txt").read_text()
    faults = faults_of(call("check", path.name, *flags, "--json", cwd=golden))
    assert [f["message"] for f in faults] == re.findall(r"^error\[[a-z-]+\]: (.*)$", result.stderr, re.MULTILINE)
    places = re.findall(r"^  --> .*?:(\d+):(\d+)$", result.stderr, re.MULTILINE)
    assert [(str(f["line"]), str(f["column"])) for f in faults if f["line"] > 0] == places
    assert result.stderr.endswith(f"{len(faults)} error{'s' * (len(faults) > 1)} in {path.name}; nothing was run\n")


def test_too_little_memory_names_the_largest_grid(case):
    for words in (["--set", "grid.cells=[20000,20000,20000]"], ["--set", "grid.cells=[9000000,9000000,9000000]"]):
        result = call("check", case.name, *words, cwd=case.parent)
        assert result.returncode == 3
        text = result.stdout + result.stderr
        n = int(re.search(r"largest grid of this shape that fits (?:here )?is (\d+) x \1 x \1", text)[1])
        fits = call("check", case.name, "--json", "--set", f"grid.cells=[{n},{n},{n}]", cwd=case.parent)
        told = json.loads(fits.stdout)
        assert told["memory"]["device"] < told["memory"]["device_free"] * 1.2  # other programs come and go
        assert told["memory"]["device"] > told["memory"]["device_free"] * 0.7
    run = call("run", case.name, "--set", "grid.cells=[20000,20000,20000]", cwd=case.parent)
    assert run.returncode == 3 and not (case.parent / "runs").exists()


def test_too_little_disk(case):
    # one snapshot a step at most is planned, so there have to be steps enough
    many = ["--set", "time.end=1.0", "--set", "time.steps=1000000000000", "--set", "output.every=1e-12"]
    result = call("check", case.name, *many, cwd=case.parent)
    assert result.returncode == 3
    assert "note: output would not fit on this disk" in result.stdout
    told = json.loads(call("check", case.name, "--json", *many, cwd=case.parent).stdout)
    assert told["fits"] is False and told["disk"]["total_bytes"] > told["disk"]["free_bytes"]


def test_a_place_that_cannot_be_written_to(case):
    result = call("run", case, "--dir", "/proc/watersmeet-run", cwd=case.parent)
    assert result.returncode == 3 and "/proc" in result.stderr
    result = call("new", "/proc/x", cwd=case.parent)
    assert result.returncode == 3 and "/proc" in result.stderr
    (case.parent / "file").write_text("")
    result = call("run", case, "--dir", case.parent / "file" / "run", cwd=case.parent)
    assert result.returncode == 3 and "file" in result.stderr


def test_output_that_cannot_be_printed_is_a_failure():
    with open("/dev/full", "w") as full:
        result = subprocess.run([binary, "keys"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 3 and "standard output" in result.stderr


def test_colours_only_where_they_are_asked_for(case):
    words = ["check", case.name, "--set", "time.clf=1"]
    assert "\033" not in call(*words, cwd=case.parent).stderr  # a pipe
    assert "\033" not in call(*words, "--color", "never", cwd=case.parent).stderr
    assert "\033" in call(*words, "--color", "always", cwd=case.parent).stderr
    for more in (["--help"], ["keys"], ["info"], ["new", "--list"]):
        assert "\033" not in call(*more, cwd=case.parent).stdout
    json.loads(call(*words, "--color", "always", "--json", cwd=case.parent).stdout)


@pytest.mark.parametrize("env, colour", [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_gets_colours_unless_told_otherwise(case, pseudo_terminal, env, colour):
    reader, writer = pseudo_terminal
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    environment.update({"TERM": "xterm", **env})
    child = subprocess.run([binary, "resme"], stderr=writer, stdout=writer, env=environment, cwd=case.parent)
    os.close(writer)
    text = os.read(reader, 65536).decode()
    os.close(reader)
    assert child.returncode == 2 and "did you mean `resume`?" in text
    assert ("\033[" in text) is colour


def test_a_numerical_failure_is_told_once_and_logged(case):
    words = ["--set", "time.steps=400", "--set", "time.dt=5", "--device", "cpu", "--dir", "d"]
    result = call("run", case.name, *words, cwd=case.parent)
    assert result.returncode == 4
    assert "not a number" in result.stderr and "not a number" not in result.stdout
    assert result.stderr.count("error:") == 1
    assert "not a number" in (case.parent / "d" / "log.txt").read_text()
    told = faults_of(call("run", case.name, *words[:-1], "e", "--json", cwd=case.parent))
    assert told[0]["kind"] == "diverged"


# ---- keys -----------------------------------------------------------------------------------------------------------


def key_rows(system="isothermal"):
    """The rows of one system; another may have the same keys with other defaults."""
    return [row for row in json.loads(call("keys", "--json").stdout) if row["system"] == system]


def listed_as(path):
    """How the tables of the manual name a key: below its innermost list of sections, else below its section."""
    return path.rpartition("[].")[2].replace("*", "NAME") if "[]." in path else path.split(".", 1)[1].replace("*", "NAME")


def leaves_of(schema, path=""):
    """Paths of all keys of a JSON schema, written as `keys` writes them."""
    members = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        members["*"] = schema["additionalProperties"]
    found = set()
    for name, node in members.items():
        here = f"{path}.{name}" if path else name
        if "properties" in node:
            found |= leaves_of(node, here)
        elif "properties" in node.get("items", {}):
            found |= leaves_of(node["items"], here + "[]")
        else:
            found.add(here)
    return found


def test_keys_in_all_forms_are_the_same_set():
    rows = json.loads(call("keys", "--json").stdout)
    systems = list(dict.fromkeys(row["system"] for row in rows))
    schema = json.loads(call("keys", "--format", "json-schema").stdout)
    schemas = schema.get("anyOf", [schema])
    assert len(schemas) == len(systems)
    for system, one in zip(systems, schemas):
        paths = [row["key"] for row in rows if row["system"] == system]
        assert len(paths) == len(set(paths)) > 30
        assert leaves_of(one) == set(paths)
    table = re.findall(r"^\| `([^`]+)` \|", call("keys", "--format", "markdown").stdout, re.MULTILINE)
    assert sorted(table) == sorted(listed_as(row["key"]) for row in rows)
    text = call("keys").stdout
    assert all(row["help"].endswith(".") and row["help"] in text for row in rows)
    # A section, and a key, says what it means in each system that has it.
    keys = list(dict.fromkeys(row["key"] for row in rows))
    for part in [*dict.fromkeys(key.partition(".")[0].removesuffix("[]") for key in keys), *keys[::20]]:
        said = call("keys", part).stdout
        found = [row["help"] for row in rows if re.match(rf"{re.escape(part)}(\[\])?(\.|$)", row["key"])]
        assert found and all(text in said for text in found), part


def test_every_documented_key_is_read_and_no_other(tmp_path):
    base = good_case.replace("overview = false\n", "").replace("steps = 4\n", "")
    begun = {  # with what their entries need
        "output.average[]": '[[output.average]]\nname = "a"\nmean = ["rho"]\nprofile = "z"',
        "output.part[]": '[[output.part]]\nname = "a"\nevery_steps = 1',
        "output.picture[]": '[[output.picture]]\nname = "a"\nfield = "rho"\nevery_steps = 1',
        "output.isosurface[]": '[[output.isosurface]]\nname = "a"\nfield = "rho"\nvalues = [1.0]\nevery_steps = 1',
        "trigger[]": '[[trigger]]\nname = "a"\nwhen = "t > 1"\nthen = ["stop"]',
    }
    sections = {}
    for row in key_rows():
        section, _, leaf = row["key"].rpartition(".")
        if row["default"] is not None and section not in ("case", "grid", "initial[]"):
            sections.setdefault(section, {})[leaf] = row["default"]
    assert sum(map(len, sections.values())) >= 50
    for section, defaults in sections.items():
        header = begun.get(section, f"[{section}]")
        for suffix in ("", "q"):
            lines = "".join(f"{leaf}{suffix} = {default}\n" for leaf, default in defaults.items())
            text = base.replace(f"{header}\n", f"{header}\n{lines}") if f"{header}\n" in base else f"{base}{header}\n{lines}"
            (tmp_path / "case.toml").write_text(text.replace("[time]\n", "[time]\nsteps = 4\n"))
            result = call("check", "case.toml", "--quiet", cwd=tmp_path)
            if not suffix:
                assert result.returncode == 0, section + result.stderr
            else:
                assert result.returncode == 2
                assert all(re.search(rf"\b{leaf}q\b", result.stderr) for leaf in defaults), section + result.stderr


def test_the_manual_page_is_what_the_program_prints():
    """docs/reference/keys.md is made by `watersmeet keys --format markdown`; make it again when this fails."""
    page = Path(__file__).parents[2] / "docs" / "reference" / "keys.md"
    assert page.read_text() == call("keys", "--format", "markdown").stdout


def test_keys_of_a_part():
    section = call("keys", "time").stdout
    assert "[time]" in section and "[grid]" not in section and "cfl" in section
    one = call("keys", "time.cfl").stdout
    assert "  cfl  a number" in one and "steps" not in one
    assert call("keys", "[[initial]]").stdout == call("keys", "initial").stdout
    assert "density" in call("keys", "initial.density").stdout


# ---- new, check, info ------------------------------------------------------------------------------------------------


systems = ["isothermal", "mhd", "multicomponent", "boussinesq", "shallow_water", "aerodynamics", "atmosphere"]


@pytest.mark.parametrize("system", systems)
def test_new_writes_a_case_that_is_clean_and_names_every_key(tmp_path, system):
    result = call("new", "vortex", "--system", system, cwd=tmp_path)
    assert result.returncode == 0 and f"wrote vortex.toml, a case of {system}\n" in result.stdout, result.stderr
    text = (tmp_path / "vortex.toml").read_text()
    assert f'\nsystem = "{system}"' in text and f"of {', '.join(s for s in systems if s != system)}\n" in text
    for row in key_rows(system):
        leaf = row["key"].rpartition(".")[2].replace("*", "NAME")
        assert re.search(rf"^(# )?{re.escape(leaf)} = ", text, re.MULTILINE), row["key"]
    # What is left out and has no default is not shown as if the value were one.
    assert re.search(r"^# dt = 1\.0 .* The value is an example\.$", text, re.MULTILINE)
    assert system == "aerodynamics" or not re.search(r"^# cfl = .* The value is an example\.$", text, re.MULTILINE)
    assert not re.search(r"^\w.* The value is an example\.$", text, re.MULTILINE)
    result = call("check", "vortex.toml", "--device", "cpu", cwd=tmp_path)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    assert result.stdout.startswith("vortex.toml: ok\n")
    # With every key given, at its default or at the sample value, the case is still well formed: no unknown key, no bad type.
    bare = re.sub(r"^# (?=(\[|[\w]+ = ))", "", text, flags=re.MULTILINE)
    (tmp_path / "all.toml").write_text(bare)
    told = call("check", "all.toml", "--json", cwd=tmp_path)
    kinds = {f["kind"] for f in faults_of(told)} if told.returncode == 2 else set()
    assert not kinds & {"syntax", "unknown-key", "bad-type"}, told.stdout
    if system == "isothermal":
        assert not kinds & {"bad-value", "range", "bad-expression"}, told.stdout


def test_new_without_words_is_isothermal_and_lists_the_rest(tmp_path):
    text = call("new", "flow", cwd=tmp_path).stdout
    assert ", a case of isothermal\n" in text and "also an example" not in text
    assert "note: sod is also an example; a copy of that:  watersmeet new NAME --from sod\n" in call("new", "sod", cwd=tmp_path).stdout
    listed = call("new", "--list").stdout
    for system in systems:
        assert re.search(rf"^  {system} +\w", listed, re.MULTILINE), listed
    assert "--system SYSTEM" in listed and "--from EXAMPLE" in listed
    for words, said in ((["--system", "isotermal"], "did you mean `isothermal`?"),
                        (["--system", "boussinesq", "--from", "sod"], "exclude each other")):  # fmt: skip
        refused = call("new", "other", *words, cwd=tmp_path)
        assert refused.returncode == 2 and said in refused.stderr, refused.stderr
    assert not (tmp_path / "other.toml").exists()


def test_new_never_overwrites(tmp_path):
    (tmp_path / "mine.toml").write_text("precious")
    for words in (["new", "mine"], ["new", "mine.toml", "--from", "taylor-green"]):
        result = call(*words, cwd=tmp_path)
        assert result.returncode == 2 and "overwritten" in result.stderr
    assert (tmp_path / "mine.toml").read_text() == "precious"


def test_every_file_of_an_example_has_a_name(tmp_path):
    done = call("check", "bubble-row/quarter-32", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["cells"] == [1024, 128, 128]
    assert json.loads(call("check", "bubble-row/case", "--json", cwd=tmp_path).stdout)["cells"][0] == 4096
    quick = ("--device", "cpu", "--set", "time.steps=1", "--set", "output.overview=false")
    done = call("run", "dam-break/dry", "--dir", "r", *quick, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    job = ("--nodes", "1", "--ranks-per-node", "2", "--time", "1h")
    text = call("slurm", "forced-turbulence/kf-2.23", *job, cwd=tmp_path).stdout
    assert "forced-turbulence/kf-2.23" in text
    assert call("new", "mine", "--from", "vortex/order-6", cwd=tmp_path).returncode == 0
    refused = call("check", "bubble-row/quarter-33", cwd=tmp_path)
    assert refused.returncode == 3
    assert "the example bubble-row has no variant `quarter-33`" in refused.stderr
    assert "did you mean `quarter-32`?" in refused.stderr and "quarter-32, quarter-64, quick" in refused.stderr
    listed = {row["name"]: row["variants"] for row in json.loads(call("new", "--list", "--json", cwd=tmp_path).stdout)}
    assert listed["bubble-row"] == ["quarter-32", "quarter-64", "quick"] and listed["sod"] == ["quick"]
    assert "bubble-row/quarter-64: 2048 x 256 x 256" in call("new", "--list", cwd=tmp_path).stdout


def test_new_from_each_example(tmp_path):
    names = [e["name"] for e in json.loads(call("new", "--list", "--json").stdout)]
    assert "taylor-green" in names and {e["system"] for e in json.loads(call("new", "--list", "--json").stdout)} == set(systems)
    for i, name in enumerate(names):
        assert call("new", f"case{i}", "--from", name, cwd=tmp_path).returncode == 0
        text = (tmp_path / f"case{i}.toml").read_text()
        assert f'name = "case{i}"' in text
        # What the examples themselves give is checked in test_examples.py.
        assert call("info", f"case{i}.toml", cwd=tmp_path).returncode == 0
        original = (root / "examples" / name / "case.toml").read_text()
        changed = [a for a, b in zip(original.splitlines(), text.splitlines()) if a != b]
        assert len(changed) == 1 and changed[0].startswith("name")


def test_examples_come_from_the_folder_that_is_asked_for(tmp_path):
    (tmp_path / "mine" / "tiny").mkdir(parents=True)
    (tmp_path / "mine" / "tiny" / "case.toml").write_text(good_case)
    (tmp_path / "mine" / "tiny" / "README.md").write_text("# Tiny box\n\nMore.\n")
    env = {"WATERSMEET_EXAMPLES": str(tmp_path / "mine")}
    listed = json.loads(call("new", "--list", "--json", env=env).stdout)
    assert [(e["name"], e["title"]) for e in listed] == [("tiny", "Tiny box")]
    assert call("check", "tiny", "--set", "grid.cells=[8,8,8]", env=env).returncode in (0, 3)
    assert call("check", "taylor-green", env=env).returncode == 3


def test_check_states_what_the_case_costs(case):
    result = call("check", case.name, "--device", "cpu", cwd=case.parent)
    assert result.returncode == 0
    heads = re.findall(r"^  (\w+(?: \w+)?)  ", result.stdout, re.MULTILINE)
    assert heads == ["system", "grid", "memory", "time step", "duration", "disk"]
    assert "16 x 8 x 8 = 1024 cells, dx = 0.3927 (cubic)" in result.stdout
    assert "about 4 steps" in result.stdout
    told = json.loads(call("check", case.name, "--device", "cpu", "--json", cwd=case.parent).stdout)
    assert told["steps"] == 4
    assert told["disk"]["snapshot_bytes"] == 1024 * 4 * 8  # rho and three components in double
    assert told["disk"]["checkpoint_bytes"] == 1024 * 4 * 8
    half = json.loads(
        call("check", case.name, "--device", "cpu", "--precision", "single", "--json", cwd=case.parent).stdout
    )
    assert half["disk"]["snapshot_bytes"] == 1024 * 4 * 4
    assert sorted(p.name for p in case.parent.iterdir()) == ["case.toml"]


def test_dry_run_is_check(case):
    check = json.loads(call("check", case.name, "--json", cwd=case.parent).stdout)
    dry = json.loads(call("run", case.name, "--dry-run", "--json", cwd=case.parent).stdout)
    for key in ("case", "cells", "dt", "steps", "fits"):
        assert check[key] == dry[key]
    assert not (case.parent / "runs").exists()


def test_info_of_machine_run_and_files(finished):
    machine = json.loads(call("info", "--json").stdout)
    assert machine["cores"] == len(os.sched_getaffinity(0)) and machine["simd_doubles"] >= 2
    assert machine["version"] in call("info").stdout
    told = json.loads(call("info", "a", "--json", cwd=finished).stdout)
    assert told["finished"] is True and told["running"] is False and told["checkpoint_step"] == 4
    assert [s["step"] for s in told["snapshots"]] == [0, 4]
    text = call("info", "a", cwd=finished).stdout
    assert 'watersmeet.open("a")' in text and "paraview a/fields.xmf" in text
    snapshot = json.loads(call("info", "a/fields_000004.vtkhdf", "--json", cwd=finished).stdout)
    assert snapshot["kind"] == "snapshot" and snapshot["cells"] == [16, 8, 8] and snapshot["step"] == 4
    kept = json.loads(call("info", "a/checkpoint_000004.h5", "--json", cwd=finished).stdout)
    assert kept["kind"] == "checkpoint" and kept["good"] is True and kept["integers"]["step"] == 4
    assert "isothermal" in call("info", "case.toml", cwd=finished).stdout


def test_info_knows_every_file_of_a_run(finished):
    """`info` recognises each kind of file that a run leaves; other files are refused in words."""
    kinds = {}
    for path in sorted((finished / "a").iterdir()):
        if path.is_dir():
            continue
        result = call("info", f"a/{path.name}", "--json", cwd=finished)
        assert result.returncode == 0, path.name + result.stderr
        told = json.loads(result.stdout)
        kinds[path.name] = told["kind"]
        shown = call("info", f"a/{path.name}", cwd=finished)
        assert shown.returncode == 0 and shown.stdout, path.name + shown.stderr
    expected = {"case.toml": "case file", "resolved.toml": "case file", "run.json": "record of a run",
                "telemetry.jsonl": "record of a run", "log.txt": "record of a run", "fields.xmf": "record of a run",
                "series.csv": "table", "series.h5": "time series", "fields_000004.vtkhdf": "snapshot",
                "checkpoint_000004.h5": "checkpoint"}  # fmt: skip
    assert expected.items() <= kinds.items(), kinds
    table = json.loads(call("info", "a/series.csv", "--json", cwd=finished).stdout)
    scalars = json.loads(call("info", "a/series.h5", "--json", cwd=finished).stdout)
    assert table["columns"][:2] == ["step", "t"] and len(table["units"]) == len(table["columns"])
    assert table["rows"] == scalars["rows"] > 1 and set(scalars["columns"]) == set(table["columns"]) - {"step", "t"}


of_systems = {
    "isothermal": ("forced-turbulence", {"time__steps": 1}),
    "mhd": ("orszag-tang", {"time__steps": 1, "output__spectra_every_steps": 1}),
    "multicomponent": ("sod", {"time__steps": 1, "output__probe": '[{name="a", at=[0.5, 0, 0], fields=["p"]}]'}),
    "boussinesq": ("heated-cavity", {"time__steps": 1, "output__profiles_every_steps": 1}),
    "plane": ("lake-at-rest", {"time__steps": 1}),
    "sphere": ("williamson-2", {"time__steps": 1, "output__latlon": "[1, 1]"}),
    "aerodynamics": ("bump", {"time__steps_max": 1}),
    "terrain": ("agnesi-mountain", {"time__steps": 1}),
    "globe": ("dcmip31", {"time__steps": 1, "output__latlon": "[12, 6]", "output__precision": '"single"'}),
}


@pytest.mark.parametrize("name", of_systems)
def test_info_knows_every_file_of_every_system(tmp_path, name):
    example, keys = of_systems[name]
    words = [w for k, v in {**keys, "output__overview": "false"}.items() for w in ("--set", f"{k.replace('__', '.')}={v}")]
    done = call("run", root / "examples" / example / "quick.toml", "--dir", "r", "--device", "cpu", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert call("info", "r", "--series", cwd=tmp_path).returncode == (2 if name in ("sphere", "aerodynamics", "globe") else 0)
    kinds = {}
    for path in sorted((tmp_path / "r").iterdir()):
        told = call("info", f"r/{path.name}", "--json", cwd=tmp_path)
        assert told.returncode == 0, path.name + told.stderr
        kinds[re.sub(r"_\d+", "", path.name)] = json.loads(told.stdout)["kind"]
        assert call("info", f"r/{path.name}", cwd=tmp_path).stdout, path.name
    expected = {"sphere": {"latlon.nc": "map", "mesh.h5": "mesh"}, "globe": {"latlon.nc": "map"}, "terrain": {"mesh.h5": "mesh"},
                "aerodynamics": {"surface_bump.csv": "table"}, "boussinesq": {"profiles.csv": "table"}}  # fmt: skip
    assert expected.get(name, {}).items() <= kinds.items(), kinds


def test_info_knows_copies_of_inputs_and_pictures(tmp_path):
    with h5py.File(tmp_path / "bed.h5", "w") as file:
        file["x"], file["bed"] = [0.0, 1.0], [-2.0, -1.0]
    (tmp_path / "tide.toml").write_text("""[case]
system = "shallow_water"
[grid]
cells = [8, 8, 1]
[tables.bed]
file = "bed.h5"
[physics]
bed = "bed(x)"
[time]
steps = 0
[output]
overview = false
""")
    done = call("run", "tide.toml", "--dir", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "r/inputs/cloud.csv").write_text("0.5 0.5 0.5 0.1\n")
    (tmp_path / "r/plots").mkdir()
    (tmp_path / "r/plots/overview.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    expected = {"inputs/bed.h5": "input of a run", "inputs/cloud.csv": "input of a run", "plots/overview.png": "picture of a run"}
    for name, kind in expected.items():
        told = call("info", f"r/{name}", "--json", cwd=tmp_path)
        assert told.returncode == 0 and json.loads(told.stdout) == {"kind": kind, "run": "r"}, told.stderr
        assert "see         watersmeet info r\n" in call("info", f"r/{name}", cwd=tmp_path).stdout
    folder, _, name = "plots/overview.png".partition("/")
    assert json.loads(call("info", name, "--json", cwd=tmp_path / "r" / folder).stdout)["run"] == ".."
    other = call("info", "bed.h5", cwd=tmp_path)
    assert other.returncode == 2 and "not a file that watersmeet" in other.stderr


def test_info_refuses_files_of_others(tmp_path):
    (tmp_path / "notes.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.json").write_text("{}")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["numbers"] = [1, 2]
    for name, words in {"notes.csv": "not a table of watersmeet", "notes.json": "HDF5", "other.h5": "not a file that watersmeet"}.items():
        refused = call("info", name, cwd=tmp_path)
        assert refused.returncode in (2, 3) and words in refused.stderr and "internal" not in refused.stderr, refused.stderr


def test_info_reports_a_damaged_checkpoint(finished, tmp_path):
    shutil.copytree(finished / "a", tmp_path / "a")
    with h5py.File(tmp_path / "a" / "checkpoint_000004.h5", "r+") as file:
        name = next(iter(file["arrays"]))
        file["arrays"][name][0, 0, 0] += 1e-9
    told = call("info", "a/checkpoint_000004.h5", cwd=tmp_path)
    assert told.returncode == 3 and "is damaged" in told.stderr
    assert json.loads(call("info", "a", "--json", cwd=tmp_path).stdout)["damaged"]


def test_info_writes_the_series_of_snapshots(finished, tmp_path):
    shutil.copytree(finished / "a", tmp_path / "a")
    (tmp_path / "a" / "series.vtkhdf").unlink(missing_ok=True)
    assert call("info", "a", "--series", cwd=tmp_path).returncode == 0
    with h5py.File(tmp_path / "a" / "series.vtkhdf") as file:
        assert file["VTKHDF"]["Steps"].attrs["NSteps"] == 2


# ---- diff, stop -------------------------------------------------------------------------------------------------------


@pytest.fixture
def pair(finished, tmp_path):
    for name in ("a", "b"):
        shutil.copytree(finished / "a", tmp_path / name)
    return tmp_path


def difference(folder, a, b):
    result = call("diff", a, b, "--json", cwd=folder)
    told = json.loads(result.stdout)
    assert result.returncode == (0 if told["equal"] else 1)
    assert call("diff", a, b, cwd=folder).returncode == result.returncode
    return told


def test_diff_of_equal_files_and_runs(pair):
    for file in ("", "/fields_000004.vtkhdf", "/checkpoint_000004.h5"):
        told = difference(pair, "a" + file, "b" + file)
        assert told["equal"] is True
        assert all(f["max"] == 0 and f["bitwise_equal"] for c in told["comparisons"] for f in c["fields"])
    assert [c["kind"] for c in difference(pair, "a", "b")["comparisons"]] == ["snapshot", "checkpoint"]


def test_diff_measures_a_known_difference(pair):
    file = "/fields_000004.vtkhdf"
    with h5py.File(pair / ("a" + file)) as a:
        before = a["VTKHDF/CellData/velocity"][...]
    added = np.zeros_like(before)
    added[1, 2, 3, 0], added[5, 6, 7, 2] = 0.25, -0.5
    with h5py.File(pair / ("b" + file), "r+") as b:
        b["VTKHDF/CellData/velocity"][...] = before + added
        after = b["VTKHDF/CellData/velocity"][...]
    told = difference(pair, "a" + file, "b" + file)
    rho, velocity = (next(f for f in told["comparisons"][0]["fields"] if f["name"] == n) for n in ("rho", "velocity"))
    assert rho["bitwise_equal"] and not velocity["bitwise_equal"]
    assert velocity["differing"] == 2 and velocity["values"] == before.size
    assert velocity["max"] == np.max(np.abs(after - before))
    assert velocity["max_relative"] == pytest.approx(np.max(np.abs(after - before)) / np.max(np.abs(before)), rel=1e-14)
    assert velocity["l2"] == pytest.approx(np.sqrt(np.mean((after - before) ** 2)), rel=1e-12)
    l2_relative = np.sqrt(np.mean((after - before) ** 2) / np.mean(before**2))
    assert velocity["l2_relative"] == pytest.approx(l2_relative, rel=1e-12)


def test_diff_sees_one_bit_and_a_sign_of_zero(pair):
    file = "/fields_000004.vtkhdf"
    with h5py.File(pair / ("b" + file), "r+") as b:
        rho = b["VTKHDF/CellData/rho"]
        rho[7, 7, 15] = np.nextafter(rho[7, 7, 15], 2.0)
    told = difference(pair, "a" + file, "b" + file)
    assert told["equal"] is False and told["comparisons"][0]["fields"][0]["differing"] == 1
    for name, value in (("a", 0.0), ("b", -0.0)):
        with h5py.File(pair / (name + file), "r+") as f:
            f["VTKHDF/CellData/rho"][...] = value
    fields = difference(pair, "a" + file, "b" + file)["comparisons"][0]["fields"]
    assert fields[0]["max"] == 0 and fields[0]["differing"] == 1024


def test_diff_tells_of_values_that_are_not_finite(pair):
    file = "/fields_000004.vtkhdf"
    with h5py.File(pair / ("b" + file), "r+") as b:
        b["VTKHDF/CellData/rho"][0, 0, 0] = np.nan
    told = difference(pair, "a" + file, "b" + file)
    rho = told["comparisons"][0]["fields"][0]
    assert rho["not_finite"] == 1 and rho["differing"] == 1 and rho["max"] == 0


def test_diff_tells_of_other_times_fields_and_grids(pair, finished):
    told = difference(pair, "a/fields_000000.vtkhdf", "b/fields_000004.vtkhdf")
    assert any(text.startswith("step: 0 in a, 4 in b") for text in told["comparisons"][0]["differences"])
    with h5py.File(pair / "b" / "fields_000004.vtkhdf", "r+") as b:
        b["VTKHDF/CellData"].move("velocity", "speed")
    text = call("diff", "a/fields_000004.vtkhdf", "b/fields_000004.vtkhdf", cwd=pair).stdout
    assert "field velocity: only in a" in text and "field speed: only in b" in text
    coarse = call(
        "run", finished / "case.toml", "--dir", "c", "--set", "grid.cells=[8,4,4]", "--device", "cpu", cwd=pair
    )
    assert coarse.returncode == 0, coarse.stderr
    result = call("diff", "a", "c", cwd=pair)
    assert result.returncode == 1 and "16 x 8 x 8 in a, 8 x 4 x 4 in b" in result.stdout


def test_diff_refuses_what_cannot_be_compared(pair):
    result = call("diff", "a/fields_000004.vtkhdf", "a/checkpoint_000004.h5", cwd=pair)
    assert result.returncode == 2 and "cannot compare a snapshot with a checkpoint" in result.stderr
    result = call("diff", "a/fields_000004.vtkhdf", "a/fields_00004.vtkhdf", cwd=pair)
    assert result.returncode == 3 and "did you mean `a/fields_000004.vtkhdf`?" in result.stderr
    (pair / "text.h5").write_text("no HDF5")
    assert call("diff", "text.h5", "text.h5", cwd=pair).returncode == 3


def test_stop(pair):
    result = call("stop", "a", cwd=pair)
    assert result.returncode == 2 and "has ended" in result.stderr and not (pair / "a" / "STOP").exists()
    record = json.loads((pair / "b" / "run.json").read_text())
    record.update(end=None, exit_status=None)  # as while the run continues
    (pair / "b" / "run.json").write_text(json.dumps(record))
    assert call("stop", "b", cwd=pair).returncode == 0 and (pair / "b" / "STOP").exists()
    result = call("stop", ".", cwd=pair)
    assert result.returncode == 2 and "not the folder of a run" in result.stderr
    result = call("stop", "bb", cwd=pair)
    assert result.returncode == 3 and "no folder `bb`" in result.stderr and "did you mean `b`?" in result.stderr


@pytest.mark.parametrize("words", [
    ["run", "none.toml"], ["run", "none/a.toml"], ["check", "none.toml"], ["check", "none/a.toml"],
    ["check", "{case}", "--set", 'tables.a.file="none.h5"'], ["check", "foil.toml"], ["slurm", "none.toml", "--ranks-per-node", "2", "--time", "1h"],
    ["run", "none"], ["check", "none/quick"], ["slurm", "none", "--ranks-per-node", "2", "--time", "1h"], ["new", "b", "--from", "none"],
    ["new", "b", "--from", "none.toml"], ["new", "none/b"], ["mesh", "none.xyz"], ["mesh", "none.toml"],
    ["mesh", "naca4", "--output", "none/a.xyz"], ["bench", "isothermal", "--compare", "none.json"],
    ["resume", "none"], ["info", "none"], ["info", "none.h5"], ["diff", "none.h5", "none.h5"], ["stop", "none"],
], ids=" ".join)  # fmt: skip
def test_a_file_that_is_not_there_is_a_missing_resource(case, words):
    (case.parent / "foil.toml").write_text('[case]\nsystem = "aerodynamics"\n[grid]\nfile = "none.xyz"\n')
    result = call(*(word.format(case=case.name) for word in words), cwd=case.parent)
    assert result.returncode == 3, result.stdout + result.stderr
    assert re.search(r"no (case )?(file|folder)|No such file", result.stderr), result.stderr


@pytest.mark.parametrize("word, said", [
    ("taylor-gren", "did you mean `taylor-green`?"), ("taylor", "did you mean `taylor-green` or `taylor-green-2d`?"),
    ("sode/quick", "did you mean `sod/quick`?"), ("vortex/ordr-6", "did you mean `order-6`?"), ("mine", "did you mean `mine.toml`?"),
])  # fmt: skip
def test_an_unknown_name_is_met_with_the_nearest_names(tmp_path, word, said):
    (tmp_path / "mine.toml").write_text("")
    result = call("run", word, cwd=tmp_path)
    assert result.returncode == 3 and said in result.stderr, result.stderr


def test_other_faults_beside_a_missing_file_are_bad_input(case):
    result = call("check", case.name, "--set", 'tables.a.file="none.h5"', "--set", "time.steps=-1", cwd=case.parent)
    assert result.returncode == 2 and "missing-file" in result.stderr and "time.steps" in result.stderr, result.stderr


def test_a_benchmark_on_a_gpu_says_that_there_is_none(tmp_path):
    result = call("bench", "isothermal", "--device", "gpu", cwd=tmp_path, env={"CUDA_VISIBLE_DEVICES": ""})
    assert result.returncode == 3 and "To run on the CPU:  --device cpu" in result.stderr and result.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("system, cells, said", [
    ("boussinesq", "32x32", "gives two numbers, and one or three can be given, such as 256 or 512x512x256"),
    ("isothermal", "8x8x8x8", "gives more than three numbers, and one or three"),
    ("shallow_water", "8x8x1x1", "gives more than three numbers, and one to three"),
])  # fmt: skip
def test_grids_of_the_benchmark_have_numbers_enough(tmp_path, system, cells, said):
    result = call("bench", system, "--cells", cells, cwd=tmp_path)
    assert result.returncode == 2 and f"--cells {cells} {said}" in result.stderr, result.stderr


def test_a_mesh_is_no_case_and_a_case_no_mesh(case):
    (case.parent / "foil.toml").write_text('[mesh]\nkind = "naca4"\n')
    for command in ("check", "run"):
        result = call(command, "foil.toml", cwd=case.parent)
        assert result.returncode == 2 and "`foil.toml` is a mesh file, not a case" in result.stderr, result.stderr
        assert "watersmeet mesh foil.toml" in result.stderr
    result = call("mesh", case.name, cwd=case.parent)
    assert result.returncode == 2 and "is a case, not a mesh file" in result.stderr, result.stderr
    assert result.stderr.count("error") == 1


def test_an_entry_of_a_list_is_named_by_its_number(case):
    (case.parent / "two.toml").write_text(case.read_text() + '[[initial]]\n[[initial]]\n')
    for key in ("initial[1]", "initial.1"):
        assert call("check", "two.toml", "--set", f"{key}.velocity=[1,0,0]", cwd=case.parent).returncode == 0
    for key, said in (("initial", "the first one initial[0]"), ("initial.3", "numbers run from 0 to 2")):
        result = call("check", "two.toml", "--set", f"{key}.velocity=[1,0,0]", cwd=case.parent)
        assert result.returncode == 2 and said in result.stderr, result.stderr


def test_a_damaged_file_is_one_message(pair):
    """HDF5's own handler at the end of the program has nothing to add."""
    whole = (pair / "a" / "fields_000004.vtkhdf").read_bytes()
    random.seed(1)
    failed = 0
    for _ in range(40):
        damaged = bytearray(whole)
        for _ in range(12):
            damaged[random.randrange(96, min(len(whole), 20000))] ^= random.randrange(1, 256)
        (pair / "damaged.vtkhdf").write_bytes(damaged)
        result = subprocess.run([binary, "info", "damaged.vtkhdf"], cwd=pair, capture_output=True, timeout=120)
        failed += result.returncode == 3
        assert b"closing library" not in result.stderr, result.stderr
    assert failed > 5


def test_resume_with_another_grid_names_the_way_to_it(pair):
    checkpoint = sorted((pair / "a").glob("checkpoint_*.h5"))[-1]
    result = call("resume", "a", "--set", "time.steps=9", "--set", "grid.cells=[32, 8, 8]", cwd=pair)
    assert result.returncode == 2 and checkpoint.name in result.stderr, result.stderr
    assert "A run keeps its grid" in result.stderr and "start.from" in result.stderr


@pytest.mark.parametrize("box", ["grid.upper=[1, 1, 1]", "grid.lower=[-1, 0, 0]", "grid.upper=[6.3, 3.1, 3.1]"])
def test_resume_with_another_box_is_refused(pair, box):
    before = {path: path.read_bytes() for path in (pair / "a").iterdir() if path.is_file()}
    result = call("resume", "a", "--set", "time.steps=9", "--set", box, cwd=pair)
    assert result.returncode == 2 and "A run keeps its grid" in result.stderr, result.stdout + result.stderr
    assert before == {path: path.read_bytes() for path in (pair / "a").iterdir() if path.is_file()}


def test_resume_of_no_run_and_of_a_finished_one(pair):
    assert call("resume", "nowhere", cwd=pair).returncode == 3
    result = call("resume", "a", cwd=pair)
    assert result.returncode == 0 and "finished" in result.stdout


def test_start_up_is_quick(case):
    """Processor time, not the time that passes: other tests run beside this one."""
    import resource

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = []
    for _ in range(3):
        start = used()
        assert call("check", case.name, "--device", "cpu", "--threads", 1, "--quiet", cwd=case.parent).returncode == 0
        times.append(used() - start)
    assert sorted(times)[1] < 1.0
