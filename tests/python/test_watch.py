"""Watching a run: its state and the time left from its files, curves without matplotlib, the page, the command; also of runs that continue."""

import base64
import html.parser
import json
import os
import signal
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

import numpy as np
import pytest
import synthetic
import watersmeet
from conftest import root
from runs import binary, environment, flow, needs_program
from watersmeet import progress
from watersmeet.curves import svg_plot, text_plot, thinned
from watersmeet.progress import Follower, GrowingFile
from watersmeet.watch import Watch

launch = {"program": "watersmeet", "ranks": 2, "devices": ["CPU, 1 thread"] * 2, "system": "isothermal", "first_step": 0, "end": None,
          "exit_status": None, "converged": None}


def write_run(path, *, info=None, reports=(), time_table="end = 5.0\n", lock=None):
    """A folder with run.json, resolved.toml, telemetry.jsonl of (step, t, wall), and run.lock of (host, process)."""
    case = f'[case]\nsystem = "isothermal"\nname = "box"\n[time]\n{time_table}'
    synthetic.write_texts(path, case, {**launch, **(info or {})})
    lines = ['{"header":{}}', *(json.dumps({"step": s, "t": t, "dt": 0.1, "wall": w, "grind_ns": 2.0, "io_s": 0.5}) for s, t, w in reports)]
    (path / "telemetry.jsonl").write_text("\n".join(lines) + "\n")
    if lock:
        (path / "run.lock").write_text(f"host {lock[0]}\nprocess {lock[1]}\n")
    return path


def now_of(path):
    return Follower(watersmeet.open(path)).progress()


@pytest.fixture
def other_process():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process
    process.kill()
    process.wait()


def test_a_run_that_goes_on(tmp_path):
    write_run(tmp_path, reports=[(10, 1.0, 10.0), (20, 2.0, 20.0)], lock=(socket.gethostname(), os.getpid()))
    now = now_of(tmp_path)
    assert (now.state, now.step, now.t, now.ranks, now.launches, now.end_t) == ("running", 20, 2.0, 2, 1, 5.0)
    assert now.done == pytest.approx(0.4) and now.left == pytest.approx(30 - now.age, abs=0.5) and not now.ended
    os.utime(tmp_path / "telemetry.jsonl", (time.time() - 25, time.time() - 25))
    now = now_of(tmp_path)
    assert now.age == pytest.approx(25, abs=1) and now.left == pytest.approx(5, abs=1)


@pytest.mark.parametrize("info, state, words", [
    ({"end": "x", "exit_status": 0}, "finished", ""),
    ({"end": "x", "exit_status": 0, "converged": True}, "converged", ""),
    ({"end": "x", "exit_status": 0, "converged": False}, "not converged", "cycles"),
    ({"end": "x", "exit_status": 75}, "suspended", "watersmeet resume"),
    ({"end": "x", "exit_status": 4}, "failed", "exit status 4"),
    ({}, "killed", "watersmeet resume"),
])
def test_states_without_a_process(tmp_path, info, state, words):
    write_run(tmp_path, info=info, reports=[(10, 1.0, 10.0)])
    (tmp_path / "log.txt").write_text("2026-11-26T05:53:10Z  a\n2026-11-26T05:53:10Z  error: density out of range\n")
    now = now_of(tmp_path)
    assert now.state == state and words in now.detail and now.ended
    assert now.log == (("a", "error: density out of range") if state in ("failed", "killed") else ())
    assert Watch(tmp_path).text(plain=True).startswith(f"box: {state}")
    assert "2 x CPU, 1 thread   2 ranks" in Watch(tmp_path).text(plain=True)


def test_states_by_the_process_that_writes(tmp_path, other_process):
    here = socket.gethostname()
    write_run(tmp_path, lock=(here, other_process.pid))
    assert now_of(tmp_path).state == "running"
    other_process.send_signal(signal.SIGSTOP)
    for _ in range(100):
        if now_of(tmp_path).state != "running":
            break
        time.sleep(0.02)
    now = now_of(tmp_path)
    assert now.state == "paused" and f"kill -CONT {other_process.pid}" in now.detail and not now.ended
    other_process.kill()
    other_process.wait()
    assert now_of(tmp_path).state == "killed"
    write_run(tmp_path, lock=("elsewhere", 1))
    assert (now_of(tmp_path).state, now_of(tmp_path).detail) == ("running", "on elsewhere")
    write_run(tmp_path, info={"end": "x", "exit_status": 75}, lock=(here, os.getpid()))
    assert now_of(tmp_path).state == "starting"  # resume has the lock and has not written its record yet


def test_the_speed_is_that_of_the_last_launch(tmp_path):
    info = {"end": "x", "exit_status": 75, "restarts": [{**launch, "first_step": 20}]}
    first, second = [(10, 1.0, 100.0), (20, 2.0, 200.0)], [(25, 2.5, 4.0), (30, 3.0, 8.0)]
    write_run(tmp_path, info=info, reports=first + second, lock=(socket.gethostname(), os.getpid()))
    assert now_of(tmp_path).left == pytest.approx(16, abs=0.5) and now_of(tmp_path).launches == 2
    slow = [(25, 2.5, 400.0), (30, 3.0, 800.0)]  # seconds continue to rise from launch to launch
    write_run(tmp_path, info=info, reports=first + slow, lock=(socket.gethostname(), os.getpid()))
    assert now_of(tmp_path).left == pytest.approx(1600, abs=0.5)
    write_run(tmp_path, info=info, reports=first + second[:1], lock=(socket.gethostname(), os.getpid()))
    assert now_of(tmp_path).left == pytest.approx(20, abs=0.5)


@pytest.mark.parametrize("table, end", [
    ("end = 5.0\nsteps = 40\n", (5.0, 40)), ("steps = 40\n", (None, 40)), ("", (None, None)),
    ('end = "2 ms"                       # --set; = 0.002\n', (0.002, None)), ('mode = "steady"\nsteps_max = 40\nresidual_drop = 1e-4\n', (None, 40)),
])
def test_where_the_case_ends(tmp_path, table, end):
    write_run(tmp_path, reports=[(10, 1.0, 10.0)], time_table=table)
    now = now_of(tmp_path).as_dict()
    assert (now["end_t"], now["end_step"]) == end
    if end[1] == 40:
        assert now["done"] == pytest.approx(0.25)


def test_a_steady_run_is_as_far_as_its_residual_has_fallen(tmp_path):
    write_run(tmp_path, reports=[(10, 1.0, 10.0)], time_table='mode = "steady"\nsteps_max = 40\nresidual_drop = 1e-4\n')
    (tmp_path / "telemetry.jsonl").write_text('{"step":10,"t":10,"wall":1,"log_residual":-3.0}\n')
    assert now_of(tmp_path).done == pytest.approx(0.75)


def test_missing_and_broken_files(tmp_path):
    (tmp_path / "case.toml").write_text("[case]\n")
    now = now_of(tmp_path)
    assert (now.state, now.step, now.launches) == ("unknown", 0, 0) and "no row" in Watch(tmp_path).text(plain=True)
    (tmp_path / "run.json").write_text("{")
    (tmp_path / "telemetry.jsonl").write_text('{"step":1,"t":0.5,"wa{"step":2,"t":1.0,"wall":2}\n{"step":3,"t":1.5,"wall":null}\n{"step":4,"t"')
    now = now_of(tmp_path)
    assert now.state == "unknown" and now.step == 3 and np.isnan(now.wall)
    assert Watch(tmp_path).page(tmp_path / "page.html").exists()


def test_files_that_go_while_they_are_read(run_path, tmp_path):
    pytest.importorskip("matplotlib")
    watch = Watch(run_path)
    (run_path / "fields_000100.vtkhdf").write_text("no HDF5")
    assert "no pictures: " in watch.page(tmp_path / "page.html").read_text()
    (run_path / "telemetry.jsonl").unlink()
    assert watch.look().state == "finished"
    run_path.rename(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="has gone"):
        watch.look()


def test_a_growing_file(tmp_path):
    path = tmp_path / "lines"
    file = GrowingFile(path)
    assert file.new_lines() == []
    path.write_text("a\nb\nhalf")
    assert file.new_lines() == ["a", "b"] and file.anew
    with open(path, "a") as more:
        more.write(" c\nd\n")
    assert file.new_lines() == ["half c", "d"] and not file.anew
    assert file.new_lines() == []
    path.write_text("a\nb\n")  # cut, as by a resume from an earlier step
    assert file.new_lines() == ["a", "b"] and file.anew
    (tmp_path / "other").write_text("x\ny\nz\n")
    (tmp_path / "other").replace(path)
    assert file.new_lines() == ["x", "y", "z"] and file.anew


def test_the_series_is_followed(run_path, monkeypatch):
    follower = Follower(watersmeet.open(run_path))
    whole = follower.series()
    assert whole.rows == 40 and whole.units["u_rms"] == "length/time"
    path = run_path / "series.csv"
    last = path.read_text().splitlines()[-1].split(",")
    with open(path, "a") as file:
        file.write(",".join(["110", "2.1", *last[2:]]) + "\n1")
    assert follower.series().rows == 41 and follower.series()["step"][-1] == 110
    with open(path, "a") as file:
        file.write(",".join(["05", "2.05", *last[2:]]) + "\n")  # a launch that resumes from step 100: the row of step 110 is of no run
    assert list(follower.series()["step"][-2:]) == [100, 105]
    monkeypatch.setattr(progress, "most_rows", 30)
    thin = Follower(watersmeet.open(run_path)).series()
    assert thin.rows <= 30 and list(thin["step"][-2:]) == [100, 105] and thin["step"][0] == 0
    with open(path, "a") as file:
        file.write("no,row\n")
    with pytest.raises(ValueError, match="not a row of"):
        follower.series()


def test_curves_of_text():
    assert text_plot([0, 1, 2, 3], [3, 1, 1, 0], width=4, height=4, plain=True) == ["         3 |*", "           |**", "           | **", "         0 |   *"]
    x = np.linspace(0, 1, 101)
    lines = text_plot(x, x**2, width=20, height=5)
    assert len(lines) == 5 and lines[0].startswith("         1 |") and lines[-1].startswith("         0 |")
    assert all(len(line) <= 32 for line in lines) and "\u2801" <= lines[0][-1] <= "\u28ff"
    assert text_plot([0], [1]) == text_plot([0, 1], [np.nan, 1]) == ["(no curve before the second row)"]
    assert len(text_plot([0, 1], [2, 2], height=3, plain=True)) == 3
    peak = np.zeros(100000)
    peak[31234] = 7
    few = thinned(np.arange(100000), peak, 50)
    assert len(few[0]) <= 102 and few[1].max() == 7 and few[0][np.argmax(few[1])] == 31234


def test_curves_of_svg():
    x = np.linspace(0, 2, 50)
    picture = xml.fromstring(svg_plot(x, 10.0 ** -x, "a < b", log=True))
    space = "{http://www.w3.org/2000/svg}"
    points = np.array([p.split(",") for p in picture.find(f"{space}polyline").get("points").split()], float)
    np.testing.assert_allclose(np.diff(points[:, 1]), np.diff(points[:, 1])[0], atol=0.11)  # a straight line on its axis
    assert "a < b" in [text.text for text in picture.iter(f"{space}text")]
    assert xml.fromstring(svg_plot(x, np.nan * x, "none")).find(f"{space}polyline") is None


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]


def test_the_page(run_path):
    pytest.importorskip("matplotlib")
    watch = Watch(run_path, field="rho")
    page = Page(watch.page(run_path / "out" / "page.html", refresh=5))
    assert page.tags.count("svg") == 7 and page.tags.count("img") == 1
    links = [value for _, name, value in page.attributes if name in ("src", "href", "srcset")]
    assert len(links) == 1 and links[0].startswith("data:image/png;base64,iVBOR")  # nothing from elsewhere
    assert ("meta", "http-equiv", "refresh") in page.attributes or watch.progress.ended
    assert not any(value == "refresh" for _, _, value in page.attributes)  # the run has ended
    (run_path / "run.json").write_text(json.dumps(launch))
    (run_path / "run.lock").write_text(f"host {socket.gethostname()}\nprocess {os.getpid()}\n")
    (run_path / "plots").mkdir()
    watersmeet.open(run_path).plot("rho", path=run_path / "plots" / "mine.png")
    watch.look()
    page = Page(watch.page(run_path / "out" / "page.html", refresh=5))
    assert ("meta", "content", "5") in page.attributes and page.tags.count("img") == 2
    assert os.listdir(run_path / "out") == ["page.html"]
    assert "no picture of nothing" in Watch(run_path, field="nothing").page(run_path / "x.html").read_text()


def test_pictures_are_ordered_by_their_steps(run_path):
    (run_path / "plots").mkdir()
    for age, name in enumerate(("rho_zmid_000100", "mine", "rho_zmid_000099", "u_zmid_000020", "overview")):
        picture = run_path / "plots" / f"{name}.png"
        picture.write_bytes(name.encode())
        os.utime(picture, (1e9 + age, 1e9 + age))  # those of earlier steps are newer, as in a copy of the folder
    page = Page(Watch(run_path).page(run_path / "page.html"))
    shown = [base64.b64decode(value.partition(",")[2]) for _, name, value in page.attributes if name == "src"]
    assert [data.decode() for data in shown if len(data) < 20] == ["mine", "rho_zmid_000100", "rho_zmid_000099"]


def test_the_page_without_matplotlib(run_path, tmp_path):
    hidden = tmp_path / "hidden" / "matplotlib"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError('no matplotlib here')\n")
    done = command(run_path, "--once", "--html", tmp_path / "page.html", before=str(hidden.parent))
    assert done.returncode == 0 and "u_rms" in done.stdout, done.stderr
    assert "no pictures: no matplotlib here" in (tmp_path / "page.html").read_text() and "img" not in Page(tmp_path / "page.html").tags


def command(*words, before="", **options):
    path = os.pathsep.join([*filter(None, [before]), str(root / "python")])
    line = [sys.executable, "-m", "watersmeet.watch", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": path}, **options)


def test_the_command(run_path, tmp_path):
    done = command(run_path, "--once", "--series", "mass,u_rms")
    assert done.returncode == 0 and "mass over t = 0 to 2" in done.stdout and "\033" not in done.stdout
    assert "\033[32mfinished" in command(run_path, "--once", "--color", "always").stdout
    state = json.loads(command(run_path, "--once", "--json").stdout)
    assert state["ended"] and state["series"]["u_rms"] == pytest.approx(0.7) and state["end_t"] is None
    assert command(run_path, "--once", "--series", "nothing").returncode == 2
    assert command(tmp_path / "nowhere").returncode == 2
    assert json.loads(command(tmp_path / "nowhere", "--json").stdout)[0]["kind"] == "missing-file"
    assert command(run_path, "--every", "0").returncode == 2 and command(run_path, "--field", "rho").returncode == 2
    assert command(run_path, "--once", "--html", tmp_path / "case" / "page.html").returncode == 0
    (tmp_path / "file").write_text("")
    assert command(run_path, "--once", "--html", tmp_path / "file" / "page.html").returncode == 3


@pytest.mark.parametrize("info, status", [({"end": "x", "exit_status": 0}, 0), ({"end": "x", "exit_status": 75}, 75),
                                          ({"end": "x", "exit_status": 4}, 4), ({}, 1)])
def test_its_exit_status_is_that_of_the_run(tmp_path, info, status):
    write_run(tmp_path, info=info, reports=[(10, 1.0, 10.0)])
    assert command(tmp_path).returncode == status and command(tmp_path, "--once").returncode == 0


def test_the_interrupt_key_ends_it(tmp_path):
    write_run(tmp_path, reports=[(10, 1.0, 10.0)], lock=(socket.gethostname(), os.getpid()))
    line = [sys.executable, "-m", "watersmeet.watch", str(tmp_path), "--every", "0.1"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root / "python")},
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # which a shell's background job ignores
    assert process.stdout.readline().startswith("running   20 %   step 10")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and err == "" and out == ""  # nothing new: no further line


@needs_program
@pytest.mark.parametrize("words, ranks", [(("--threads", "1"), 1), (("--ranks", "2"), 2)])
def test_a_run_of_the_program_is_followed_to_its_end(tmp_path, words, ranks):
    (tmp_path / "case.toml").write_text(flow.replace("steps = 20", "steps = 3000").replace("[output]", "[output]\nseries_every_steps = 10"))
    run = subprocess.Popen([binary, "run", "case.toml", "--dir", "run", "--device", "cpu", "--quiet", *words], cwd=tmp_path, env=environment(),
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "run/series.csv").exists():
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.01)
    watched = subprocess.run([binary, "watch", "run", "--every", "0.1", "--json"], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=120)
    assert run.wait(timeout=60) == 0 and watched.returncode == 0, watched.stderr
    states = [json.loads(line) for line in watched.stdout.splitlines()]
    assert states[-1]["state"] == "finished" and states[-1]["step"] == 3000 and states[-1]["ranks"] == ranks
    assert {s["state"] for s in states} <= {"starting", "running", "finished"}
    assert all(a["step"] <= b["step"] for a, b in zip(states, states[1:]))


@needs_program
def test_a_terminal_shows_the_whole_screen(tmp_path, pseudo_terminal):
    write_run(tmp_path, info={"end": "x", "exit_status": 75}, reports=[(10, 1.0, 10.0)])
    master, slave = pseudo_terminal
    done = subprocess.run([binary, "watch", tmp_path], stdout=slave, stdin=slave, stderr=subprocess.PIPE, env=environment(COLUMNS="70", LINES="20"), timeout=60)
    os.close(slave)
    text = os.read(master, 65536).decode()
    assert done.returncode == 75 and "\033[33msuspended\033[0m" in text and "20 %" in text, done.stderr
