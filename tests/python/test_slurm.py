"""Jobs of a real Slurm: its controller and two hosts of it on this machine (slurmctld, slurmd of the distribution).

The texts of job scripts are tested in test_launch.py.
"""

import getpass
import os
import re
import shutil
import socket
import subprocess
import time

import pytest
from rank_runs import on_ranks
from runs import arrays, assert_same_end, binary, call, flow, needs_program, newest, settings, succeed

daemons = [shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") for name in ("slurmctld", "slurmd")]
pytestmark = [
    needs_program, on_ranks,
    pytest.mark.skipif(None in (*daemons, shutil.which("srun")), reason="no Slurm: slurmctld, slurmd or srun is missing"),
]  # fmt: skip

# Each host of the cluster is a daemon of this one. auth/none: all of them are started by this user.
cluster = """ClusterName=trial
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
TmpFS={folder}/tmp-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldPort={ports[0]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=4
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_until(condition, seconds=120, otherwise=lambda: ""):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that: " + otherwise()
        time.sleep(0.1)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """Calls a command of Slurm: slurm("sinfo")."""
    folder = tmp_path_factory.mktemp("slurm")
    for name in ("state", "spool-n1", "spool-n2", "tmp-n1", "tmp-n2"):
        (folder / name).mkdir()
    conf = folder / "slurm.conf"
    conf.write_text(cluster.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=folder, ports=free_ports(3)))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "OMPI_", "PMI"))}
    # Two hosts of one name would give their shared memory the same names.
    environment = {**kept, "SLURM_CONF": str(conf), "OMP_NUM_THREADS": "1", "OMPI_MCA_btl": "self,tcp"}

    def command(*words, cwd=folder, status=0, **variables):
        line = [str(word) for word in words]
        result = subprocess.run(line, cwd=cwd, env={**environment, **variables}, capture_output=True, text=True, timeout=120)
        assert result.returncode == status, result.stdout + result.stderr
        return result.stdout + result.stderr

    started = [[daemons[0], "-D", "-c"], [daemons[1], "-D", "-N", "n1"], [daemons[1], "-D", "-N", "n2"]]
    with open(folder / "log", "w") as log:
        running = [subprocess.Popen(line, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log) for line in started]
    try:
        def ready():
            shown = subprocess.run(["sinfo", "-h", "-o", "%t %D"], env=environment, capture_output=True, text=True, timeout=60).stdout
            return shown.split() == ["idle", "2"] or any(process.poll() is not None for process in running)

        wait_until(ready)
        if any(process.poll() is not None for process in running):  # Slurm's own fault, or that of this machine
            pytest.skip("Slurm does not start here: " + (folder / "log").read_text()[-2000:])
        yield command
    finally:
        subprocess.run(["scancel", "--user", getpass.getuser()], env=environment, timeout=60)
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait(60)


@pytest.fixture
def plugin(slurm, case):
    """The flag for the plugin that connects the ranks of the MPI in use."""
    found = re.search(r"--mpi=(\w+)", slurm("srun", "-N1", "-n2", binary, "run", "flow.toml", cwd=case, status=2))
    listed = slurm("srun", "--mpi=list")
    if found.group(1) not in listed:
        pytest.skip(f"this Slurm has no plugin {found.group(1)}")
    return f"--mpi={found.group(1)}"


@pytest.fixture
def case(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    return tmp_path


def test_tasks_of_two_hosts_compute_the_bits_of_one_process(slurm, plugin, case):
    text = slurm("srun", "-N2", "-n4", plugin, binary, "run", "flow.toml", "--dir", "four", cwd=case)
    assert "ranks      4 on 1 host" in text and text.count("isothermal compressible") == 1
    succeed("run", "flow.toml", "--dir", "one", cwd=case)
    assert_same_end(case / "one", case / "four")


def test_tasks_that_nothing_connects_are_refused_in_one_message(slurm, case):
    text = slurm("srun", "-N2", "-n4", binary, "run", "flow.toml", "--dir", "a", cwd=case, status=2)
    assert "error: srun started 4 tasks without the plugin" in text and text.count("error: srun started") == 1
    assert not (case / "a").exists()


def test_a_job_stops_at_its_signal_is_queued_again_and_goes_on(slurm, plugin, case):
    keys = settings(time__steps=100000000, output__checkpoint_every_steps=20, output__series_every_steps=1)
    job = call("slurm", "flow.toml", "--nodes", "2", "--ranks-per-node", "1", "--time", "10", "--dir", "a", *keys, cwd=case)
    assert job.returncode == 0, job.stderr
    (case / "job.sh").write_text(job.stdout)
    number = slurm("sbatch", "--parsable", "--output=log.txt", "job.sh", cwd=case).strip()

    def state():
        return re.search(r"JobState=(\w+)", slurm("scontrol", "show", "job", number)).group(1)

    def log():
        return (case / "log.txt").read_text() if (case / "log.txt").exists() else ""

    wait_until(lambda: list((case / "a").glob("checkpoint_*.h5")))
    slurm("scancel", "--signal=USR1", number)  # as before the limit of its time
    wait_until(lambda: state() == "PENDING")
    stopped = newest(case / "a")
    assert re.search(r"stopping at step \d+: SIGUSR1", log()), log()
    # Slurm waits two minutes before it starts a job again, so that nothing of the first is left on its hosts.
    wait_until(lambda: slurm("sinfo", "-h", "-o", "%t %D").split() == ["idle", "2"])
    time.sleep(10)
    slurm("scontrol", "update", f"JobId={number}", "StartTime=now")
    wait_until(lambda: newest(case / "a").name > stopped.name, otherwise=lambda: slurm("scontrol", "show", "job", number) + log())
    slurm("scancel", "--signal=USR1", number)
    wait_until(lambda: state() == "PENDING")
    slurm("scancel", number)
    assert len(re.findall(r"^ *ranks +2 on 1 host", log(), re.MULTILINE)) == 2, log()  # it was started twice
    last = newest(case / "a")
    succeed("run", "flow.toml", "--dir", "reference", *settings(time__steps=int(last.stem[-6:])), cwd=case)
    assert arrays(last) == arrays(newest(case / "reference"))
