"""Starting ranks: what the launcher is given, which signals and statuses pass through, what is refused, and the job scripts for
Slurm. Launchers, srun and scontrol are scripts of this file; the ranks themselves are tested elsewhere.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from rank_runs import on_ranks
from runs import binary, needs_program

pytestmark = needs_program

case = """[case]
system = "isothermal"
[grid]
cells = [8, 8, 8]
[time]
steps = 2
[[initial]]
velocity = ["0.1*sin(x)", "0", "0"]
[output]
overview = false
"""

# Stands for mpiexec: tells what it was given as JSON in record.json, then does what $FAKE_DOES says.
fake = """#!{python}
import json, os, signal, sys, time
if sys.argv[1:] == ["--version"]:
    print(os.environ["FAKE_VERSION"])
    sys.exit(0)
got = []
for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda n, frame: got.append(signal.Signals(n).name))
with open("record.part", "w") as file:
    record = dict(words=sys.argv[1:], environment=dict(os.environ), stdin=os.readlink("/proc/self/fd/0"),
                  pid=os.getpid(), group=os.getpgrp(), parent_group=os.getpgid(os.getppid()))
    json.dump(record, file)
os.rename("record.part", "record.json")
does, _, number = os.environ.get("FAKE_DOES", "exit 0").partition(" ")
if does == "tell":  # as a rank, while the launcher itself says 0
    with open(os.environ["WATERSMEET_STATUS_FILE"], "r+") as file:
        file.write(number)
    sys.exit(0)
if does == "exit":
    sys.exit(int(number))
if does == "die":
    signal.signal(int(number), signal.SIG_DFL) if int(number) != 9 else None
    os.kill(os.getpid(), int(number))
end = time.monotonic() + 120
while time.monotonic() < end and not got:
    time.sleep(0.01)
if does == "stubborn":  # SIGUSR1 is ignored, only SIGINT or SIGTERM end it
    open("ignored", "w").close()
    while time.monotonic() < end and not set(got) & {{"SIGINT", "SIGTERM"}}:
        time.sleep(0.01)
with open("signals.part", "w") as file:
    file.write(" ".join(got))
os.rename("signals.part", "signals")
sys.exit(75)
"""


def clean(**more):
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(("SLURM_", "OMPI_", "PMI", "NCCL_", "WATERSMEET_")) and k != "MPI_LOCALNRANKS"}
    return {**kept, "TERM": "xterm", **more}


class Place:
    def __init__(self, path):
        self.path = path
        (path / "case.toml").write_text(case)
        self.script("mpiexec", fake.format(python=sys.executable))

    def script(self, name, text):
        (self.path / "bin").mkdir(exist_ok=True)
        (self.path / "bin" / name).write_text(text)
        (self.path / "bin" / name).chmod(0o755)

    def environment(self, **more):
        return clean(**{"WATERSMEET_MPIEXEC": str(self.path / "bin/mpiexec"), "FAKE_VERSION": "unknown 1.0", **more})

    def call(self, *words, **variables):
        return subprocess.run([binary, *map(str, words)], cwd=self.path, env=self.environment(**variables),
                              capture_output=True, text=True, timeout=300)

    def start(self, *words, **variables):
        process = subprocess.Popen([binary, *map(str, words)], cwd=self.path, env=self.environment(**variables),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for("record.json", process)
        return process

    def wait_for(self, name, process):
        end = time.monotonic() + 120
        while not (self.path / name).exists():
            assert process.poll() is None and time.monotonic() < end, process.communicate()
            time.sleep(0.01)

    def record(self):
        return json.loads((self.path / "record.json").read_text())


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


# ---- what is started ------------------------------------------------------------------------------------------------


@on_ranks
def test_the_launcher_gets_this_program_and_the_same_words(place):
    result = place.call("run", "case.toml", "--ranks", "3", "--set", "time.end=2*pi", "--dir=a b", "--threads", 2)
    assert result.returncode == 0, result.stderr
    record = place.record()
    program = record["words"].index(os.path.realpath(binary))
    assert record["words"][:2] == ["-n", "3"]
    assert record["words"][program + 1:] == ["run", "case.toml", "--set", "time.end=2*pi", "--dir=a b", "--threads", "2"]
    assert record["stdin"] == "/dev/null"
    assert record["environment"]["NCCL_NVLS_ENABLE"] == "0"
    assert record["environment"]["WATERSMEET_TERMINAL"] == "0:0"
    assert "OMP_NUM_THREADS" not in set(record["environment"]) - set(os.environ)
    assert record["group"] == record["pid"] != record["parent_group"]
    line = re.search(r"^note: (.*)$", result.stdout, re.MULTILINE)[1]
    assert "'time.end=2*pi'" in line and "'--dir=a b'" in line
    again = subprocess.run(["bash", "-c", f'printf "%s\\n" {line}'], capture_output=True, text=True).stdout
    assert again.splitlines()[1:] == record["words"]


@on_ranks
@pytest.mark.parametrize("flag", ["--quiet", "--json"])
def test_the_command_is_not_shown_where_only_results_are_wanted(place, flag):
    result = place.call("run", "case.toml", "--ranks=2", flag)
    assert result.returncode == 0 and result.stdout == "" and result.stderr == ""
    assert "--ranks=2" not in place.record()["words"] and flag in place.record()["words"]


@on_ranks
def test_a_setting_of_the_caller_is_kept(place):
    assert place.call("run", "case.toml", "--ranks", "2", NCCL_NVLS_ENABLE="1").returncode == 0
    assert place.record()["environment"]["NCCL_NVLS_ENABLE"] == "1"


@on_ranks
@pytest.mark.parametrize("words", [["resume", "a"], ["bench", "--cells", "8"]], ids=["resume", "bench"])
def test_resume_and_bench_start_ranks_too(place, words):
    assert place.call(*words, "--ranks", "2").returncode == 0
    assert place.record()["words"][-len(words):] == words


def test_one_rank_and_a_rank_of_a_launch_start_nothing(place):
    assert place.call("run", "case.toml", "--ranks", "1", "--quiet", "--dir", "a").returncode == 0
    assert (place.path / "a/run.json").exists() and not (place.path / "record.json").exists()
    dry = place.call("run", "case.toml", "--ranks", "2", "--dry-run")
    assert dry.returncode == 0 and not (place.path / "record.json").exists()


@on_ranks
def test_a_launcher_of_another_mpi_is_refused(place):
    if "MPI opened for several ranks" in place.call("--version").stdout:
        pytest.skip("takes the launchers of both")
    refused = [place.call("run", "case.toml", "--ranks", "2", FAKE_VERSION=text)
               for text in ("mpiexec (OpenRTE) 4.1.4", "HYDRA build details:\n    Version: 4.0.2")]
    assert sorted(r.returncode for r in refused) == [0, 2]
    wrong = next(r for r in refused if r.returncode == 2)
    assert "but this program was built with" in wrong.stderr and "WATERSMEET_MPIEXEC" in wrong.stderr


# ---- signals and statuses -------------------------------------------------------------------------------------------


@on_ranks
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
def test_every_request_to_stop_reaches_the_ranks_as_sigusr1(place, number):
    process = place.start("run", "case.toml", "--ranks", "2", FAKE_DOES="wait")
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 75, err
    assert (place.path / "signals").read_text() == "SIGUSR1"
    assert ("press Ctrl-C again" in out) == (number == signal.SIGINT)


@on_ranks
def test_a_second_ctrl_c_ends_the_ranks_at_once(place):
    process = place.start("run", "case.toml", "--ranks", "2", FAKE_DOES="stubborn")
    process.send_signal(signal.SIGINT)
    place.wait_for("ignored", process)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1 and "without waiting for a checkpoint" in err
    assert (place.path / "signals").read_text().split()[0] == "SIGUSR1"


@on_ranks
def test_when_the_parent_is_killed_the_launcher_is_told_to_end(place):
    process = place.start("run", "case.toml", "--ranks", "2", FAKE_DOES="wait")
    process.kill()
    process.communicate(timeout=120)
    end = time.monotonic() + 120
    while not (place.path / "signals").exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert (place.path / "signals").read_text() == "SIGTERM"


@on_ranks
@pytest.mark.parametrize("status", [0, 1, 2, 3, 4, 5, 75])
def test_the_exit_status_is_that_of_the_run(place, status):
    result = place.call("run", "case.toml", "--ranks", "2", FAKE_DOES=f"exit {status}")
    assert result.returncode == status and result.stderr == ""


@on_ranks
def test_the_run_itself_tells_its_status_where_the_launcher_forgets_it(place):
    # As mpiexec of MPICH 4.0.2 does after a signal.
    result = place.call("run", "case.toml", "--ranks", "2", FAKE_DOES="tell 75")
    assert result.returncode == 75 and result.stderr == ""
    assert not os.path.exists(place.record()["environment"]["WATERSMEET_STATUS_FILE"])


@on_ranks
@pytest.mark.parametrize("does, expected", [
    ("exit 137", "killed by signal 9 (Killed), as happens when memory runs out"),  # Open MPI's way to tell
    ("exit 139", "killed by signal 11 (Segmentation fault)"),
    ("exit 11", "killed by signal 11 (Segmentation fault)"),  # MPICH's
    ("exit 213", "ended with status 213"),
    ("die 9", "was killed by signal 9"),
])
def test_a_lost_rank_is_one_message_and_status_1(place, does, expected):
    result = place.call("run", "case.toml", "--ranks", "2", FAKE_DOES=does)
    assert result.returncode == 1
    assert result.stderr.startswith("error: rank lost: ") and expected in result.stderr
    assert result.stderr.count("error") == 1
    told = json.loads(place.call("run", "case.toml", "--ranks", "2", "--json", FAKE_DOES=does).stdout)
    assert len(told) == 1 and told[0]["message"].startswith("rank lost")


# ---- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, variables, expected", [
    (["--gpus", "2", "--ranks", "3"], {}, "--gpus and --ranks both say how many ranks"),
    (["--gpus", "0"], {}, "`--gpus` must be a whole number greater than 0"),
    (["--ranks", "-1"], {}, "`--ranks` must be a whole number greater than 0"),
    (["--ranks", "2.5"], {}, "`--ranks` must be a whole number"),
    (["--ranks", "2000"], {}, "at most 1024; not `2000`"),
    (["--cpu-ranks", "2"], {}, "which is not given\n   = for the CPU alone:  --ranks 2"),
    (["--gpus", "2", "--device", "cpu"], {}, "but `--device cpu` forbids it"),
    (["--ranks", "2"], {"OMPI_COMM_WORLD_SIZE": "3"}, "started as one of 3 ranks by mpirun or srun, but --ranks asks for 2"),
    (["--ranks", "2"], {"PMI_SIZE": "1"}, "started as one of 1 rank by"),
    (["--gpus", "2"], {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"}, "leave --gpus out"),
    (["--cpu-ranks", "4"], {"PMI_SIZE": "2"}, "there are only 2 ranks"),
    (["--ranks", "2"], {"SLURM_JOB_NUM_NODES": "2"}, "this Slurm job has 2 hosts"),
    (["--gpu", "2"], {}, "did you mean `--gpus`?"),
])
def test_nonsense_is_refused_before_anything_is_started(place, words, variables, expected):
    result = place.call("run", "case.toml", *words, **variables)
    assert result.returncode == 2, result.stdout
    assert expected in result.stderr and result.stdout == "" and result.stderr.count("error") == 1
    assert sorted(p.name for p in place.path.iterdir()) == ["bin", "case.toml"]


def test_gpus_that_are_not_there_are_a_missing_resource(place):
    """The same status as of --device gpu."""
    for words, expected in ((["--gpus", "99"], "--gpus 99: "), (["--device", "gpu", "--set", "device.index=99"], "--device cpu")):
        result = place.call("run", "case.toml", *words)
        assert result.returncode == 3 and expected in result.stderr, result.stderr


@on_ranks
def test_a_launcher_that_is_not_there_is_named(place):
    result = place.call("run", "case.toml", "--ranks", "2", WATERSMEET_MPIEXEC="/nonexistent/mpiexec")
    assert result.returncode == 2 and "WATERSMEET_MPIEXEC is /nonexistent/mpiexec" in result.stderr


# ---- Slurm ----------------------------------------------------------------------------------------------------------

job = ["slurm", "case.toml", "--gpus-per-node", "4", "--time", "4:00:00"]


def directives(script):
    return re.findall(r"^#SBATCH (.*)$", script, re.MULTILINE)


def test_a_job_script_asks_for_what_the_flags_say(place):
    result = place.call(*job, "--nodes", "2", "--partition", "gpu", "--account", "me", "--name", "vortex")
    assert result.returncode == 0, result.stderr
    assert directives(result.stdout) == [
        "--job-name=vortex", "--nodes=2", "--ntasks-per-node=4", "--gpus-per-node=4", "--time=04:00:00",
        "--partition=gpu", "--account=me", "--signal=USR1@180", "--requeue", "--open-mode=append",
    ]
    assert "run case.toml --dir runs/vortex --resume=auto --device gpu\n" in result.stdout
    assert result.stdout.startswith("#!/bin/bash\n")
    cpu = place.call("slurm", "case.toml", "--ranks-per-node", "2", "--time", "1-12").stdout
    assert {"--ntasks-per-node=2", "--exclusive", "--time=1-12:00:00", "--job-name=case"} <= set(directives(cpu))
    assert "gpu" not in cpu and "--device cpu" in cpu
    both = place.call(*job, "--ranks-per-node", "6").stdout
    assert "--ntasks-per-node=6" in both and "--device auto --cpu-ranks 2\n" in both


@pytest.mark.parametrize("given, printed", [
    ("90", "01:30:00"), ("90:30", "01:30:30"), ("4:00:00", "04:00:00"), ("2-1", "2-01:00:00"), ("1-2:30", "1-02:30:00"),
    ("1-2:30:05", "1-02:30:05"), ("4h", "04:00:00"), ("90 min", "01:30:00"), ("1.5 d", "1-12:00:00"), ("30h", "1-06:00:00"),
])
def test_times_in_slurms_forms_and_in_ours(place, given, printed):
    text = place.call("slurm", "case.toml", "--ranks-per-node", "1", "--time", given).stdout
    assert f"--time={printed}" in directives(text)


@pytest.mark.parametrize("words, expected", [
    (["--time", "4:00:00"], "--gpus-per-node N"),
    (["--gpus-per-node", "4"], "give  --time 4:00:00"),
    ([*job[2:], "--time", "tomorrow"], "cannot be read as a time"),
    ([*job[2:], "--time", "5"], "give more than 6"),
    ([*job[2:], "--nodes", "0"], "`--nodes` must be a whole number greater than 0"),
    ([*job[2:], "--ranks-per-node", "3"], "leaves 1 of the 4 GPUs"),
    ([*job[2:], "--partition", "a b"], "--partition a b"),
    ([*job[2:], "--account", "a\n#SBATCH --x"], "--account"),
    ([*job[2:], "--site", "exampel"], "did you mean `example`?"),
    ([*job[2:], "--set", "grid.cells=[1,2]"], "error[bad-type]: grid.cells"),
])
def test_values_that_make_no_job_print_no_script(place, words, expected):
    result = place.call("slurm", "case.toml", *words)
    assert result.returncode == 2 and result.stdout == "" and expected in result.stderr


def test_all_faults_of_the_case_are_printed_instead_of_a_script(place):
    (place.path / "case.toml").write_text(case.replace("cells", "cels").replace("steps = 2", "steps = -2"))
    result = place.call(*job)
    assert result.returncode == 2 and result.stdout == ""
    assert "2 errors in case.toml; nothing was run" in result.stderr


def test_a_site_adds_its_block_and_its_faults_are_told_together(place):
    text = place.call(*job, "--site", "example", "--account", "other").stdout
    assert {"--partition=gpu", "--account=other", "--constraint=h200"} <= set(directives(text))
    assert "\nmodule load openmpi/4.1\nexport UCX_TLS=rc,sm,self\n" in text
    assert re.search(r"^srun .* --mpi=pmix \S+ run ", text, re.MULTILINE)
    (place.path / "mine.toml").write_text('[site]\npartion = "a"\nsrun = ["mpi=pmix"]\n[environment]\n"A B" = "1"\nC = "x y"\n')
    result = place.call(*job, "--site", "mine.toml")
    assert result.returncode == 2 and result.stdout == ""
    assert "did you mean `partition`?" in result.stderr and "mine.toml:3:" in result.stderr
    assert "3 errors in mine.toml" in result.stderr
    (place.path / "mine.toml").write_text("[environment]\nC = \"it's $x\"\n")
    assert "export C='it'\\''s $x'\n" in place.call(*job, "--site", "./mine.toml").stdout


@pytest.mark.parametrize("status", [0, 1, 75])
def test_the_script_requeues_status_75_alone_and_hands_all_arguments_on(place, status):
    (place.path / "my case.toml").write_text(case)
    words = ["slurm", "my case.toml", *job[2:], "--set", 'case.name="it\'s $HOME"', "--dir", "out put"]
    script = place.call(*words)
    assert script.returncode == 0, script.stderr
    place.script("srun", f'#!/bin/bash\nprintf "%s\\0" "$SLURM_MPI_TYPE" "$NCCL_NVLS_ENABLE" "$@" > srun.words\nexit {status}\n')
    show = f'echo "MpiDefault              = {"none" if status else "cray_shasta"}"'
    place.script("scontrol", f'#!/bin/bash\nif [ "$*" = "show config" ]; then {show}; else echo "$@" >> requeued; fi\n')
    (place.path / "job.sh").write_text(script.stdout)
    environment = clean(SLURM_JOB_ID="42", PATH=f"{place.path / 'bin'}:{os.environ['PATH']}")
    assert subprocess.run(["bash", "-n", "job.sh"], cwd=place.path).returncode == 0
    if shutil.which("shellcheck"):
        checked = subprocess.run(["shellcheck", "--severity=warning", "job.sh"], cwd=place.path, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout
    ended = subprocess.run(["bash", "job.sh"], cwd=place.path, env=environment, timeout=300)
    assert ended.returncode == status
    requeued = place.path / "requeued"
    assert (requeued.read_text() if requeued.exists() else "") == ("requeue 42\n" if status == 75 else "")
    given = (place.path / "srun.words").read_text().split("\0")[:-1]
    assert given[0] in (("pmix", "pmi2") if status else ("",))  # only where srun connects no ranks by itself
    assert given[1:4] == ["0", "--kill-on-bad-exit=1", "--cpu-bind=none"]
    assert given[5:] == ["run", "my case.toml", "--dir", "out put", "--resume=auto", "--device", "gpu", "--set",
                         'case.name="it\'s $HOME"']
    assert given[4].endswith("watersmeet")


def test_a_script_for_programs(place):
    assert json.loads(place.call(*job, "--json").stdout)["script"].startswith("#!/bin/bash\n")
