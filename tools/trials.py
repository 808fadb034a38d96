#!/usr/bin/env python3
"""Tries what the program promises more often than the tests of every change do, and keeps the numbers.

    tools/trials.py --program PROGRAM calls kills-1 kills-3 keys    makes trials; results go into tests/faults/results.json
    tools/trials.py --table                                         writes the table of docs/reliability.md from them

calls: each single call that changes a file fails, in ten ways. kills-N: --count runs on N ranks (200 unless told) are killed twice each.
keys: each key of each system is changed. fuzz: tools/fuzz.sh, with the build that it needs, whose commit counts. device: tools/gpu/faults.sh. soak:
tools/gpu/soak.sh with --minutes for each case. Both need a GPU, except with --device cpu. Kills and executions are added to those of earlier rounds;
give each round of kills another --seed. A trial that fails is printed and counted; the exit status is then 1.
"""
import argparse
import json
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "tests" / "faults" / "results.json"
PAGE = ROOT / "docs" / "reliability.md"
# The rows of the table by promise: the first pattern that the name of a trial has counts. The page says what holds after a fault.
PROMISES = {
    "calls: (short write|interrupted call)": "A run that meets one of these faults continues as if nothing had happened",
    "calls: killed|kills-": "A killed run loses nothing: what holds after a fault holds",
    "calls: |device: ": "A run that meets one of these faults ends as documented, and what holds after a fault holds",
    "keys": "A changed key is in the resolved case, and either the results differ or it is refused or noted by name",
    "soak: ": "A run of many steps has the bits of one that is stopped and resumed again and again",
    "fuzz": "Any input is answered within 5 s of processor time by values or by a message with a documented exit status, in memory that it justifies",
}
BEGIN, END = "<!-- made by tools/trials.py --table -->\n", "<!-- end -->\n"


def calls(place, options):
    from fault_runs import Calls, kinds
    trials = Calls(place / "calls")
    for name in kinds:
        if options.only and name not in options.only:
            continue
        number = trials.number(name)
        wrong = [trials.attempt(name, at) for at in range(1, number + 1)]
        yield {"trial": f"calls: {name}", "how": f"{name}, at each call in turn", "times": number}, wrong


def kills(ranks):
    def make(place, options):
        count = options.count
        from fault_runs import Kills
        trials = Kills(place / f"kills-{ranks}", ranks, options.seed)
        wrong = [trials.attempt(number) for number in range(count)]
        yield {"trial": f"kills-{ranks}", "how": f"SIGKILL at random instants of a run on {ranks} rank{'s' * (ranks > 1)} and of the run that resumes it",
               "times": 2 * count}, wrong  # fmt: skip
    return make


def keys(place, _options):
    from key_walk import Walk, cases
    number, wrong = 0, []
    for name in cases:
        walk = Walk(place / name.replace(" ", "-"), name)
        for pattern, path, value in walk.trials():
            number += 1
            what = walk.silent(number, pattern, path, value)
            wrong.append([what] if what else [])
        print(f"{name}: {number} values so far, {sum(map(bool, wrong))} silent", flush=True)
    yield {"trial": "keys", "how": f"each value of each key in {len(cases)} small cases of all systems", "times": number}, wrong  # fmt: skip


def fuzz(_place, options):
    import subprocess
    said = subprocess.run([ROOT / "tools" / "fuzz.sh", str(options.seconds), *options.reader], capture_output=True, text=True).stdout
    print(said, end="", flush=True)
    readers = {name: int(number) for name, number in re.findall(r"^(\w+): (\d+) executions", said, re.MULTILINE)}
    commit, faults = re.search(r"^commit (.+)$", said, re.MULTILINE)[1], int(re.search(r"^\d+ executions, (\d+) faults$", said, re.MULTILINE)[1])
    yield {"trial": "fuzz", "how": "inputs of libFuzzer to 14 readers, under the address and undefined-behaviour sanitizers (`tools/fuzz.sh`)",
           "times": sum(readers.values()), "readers": readers, "commit": commit}, [["see build/fuzz"]] * faults  # fmt: skip


def script(options, name, *words):
    import subprocess
    with tempfile.TemporaryDirectory() as out:
        said = subprocess.run([ROOT / "tools" / "gpu" / name, options.program, out, *words], capture_output=True, text=True).stdout
    print(said, end="", flush=True)
    return said


def device(_place, options):
    on_cpu = options.device == "cpu"
    said = script(options, "faults.sh", *(["cpu"] if on_cpu else []))
    number, wrong = map(int, re.search(r"^(\d+) tried in \d+ s, (\d+) wrong", said, re.MULTILINE).groups())
    how = "memory for fields refused on the CPU" if on_cpu else "allocations, launches, copies, fills and waits refused by the driver of a GPU"
    yield {"trial": f"device: {options.device}", "how": f"{how}, at calls of small cases (`tools/gpu/faults.sh`)", "times": number}, [["see above"]] * wrong  # fmt: skip


def soak(_place, options):
    said = script(options, "soak.sh", "--device", options.device, str(options.minutes))
    steps = [int(number) for number in re.findall(r"^\w+: (\d+) steps without a stop", said, re.MULTILINE)]
    faults = int(re.search(r"^(\d+) faults$", said, re.MULTILINE)[1])
    yield {"trial": f"soak: {options.device}", "how": f"each case of tools/gpu/cases for {options.minutes} min on the {options.device.upper()}, {sum(steps)} steps in all (`tools/gpu/soak.sh`)",
           "times": len(steps)}, [["see above"]] * faults  # fmt: skip


def added_up(row, earlier):
    """A row with what earlier rounds tried and found."""
    row = {**row, "times": earlier["times"] + row["times"], "failed": earlier["failed"] + row["failed"]}
    row["commit"] = ", ".join(dict.fromkeys(earlier["commit"].split(", ") + [row["commit"]]))
    if "readers" in row:
        names = [*earlier["readers"], *(name for name in row["readers"] if name not in earlier["readers"])]
        row["readers"] = {name: earlier["readers"].get(name, 0) + row["readers"].get(name, 0) for name in names}
    return row


TRIALS = {"fuzz": fuzz, "device": device, "soak": soak, "calls": calls, "kills-1": kills(1), "kills-3": kills(3), "keys": keys}
ADDED_UP = ("fuzz", "kills-1", "kills-3")


def commit_of(program):
    import subprocess
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return next(word for line in text.splitlines() if "commit" in line for word in line.replace(",", " ").split() if len(word) >= 7 and all(c in "0123456789abcdef" for c in word))


def page_with_table():
    """The page with the rows of results.json, those of one promise together."""
    results = json.loads(RESULTS.read_text())
    promise_of = {row["trial"]: next(promise for pattern, promise in PROMISES.items() if re.match(pattern, row["trial"])) for row in results}
    lines = []
    for promise in PROMISES.values():
        lines += [f"**{promise}.**", "", "| trial | how often | failed | commit |", "| --- | --- | --- | --- |"]
        lines += [f"| {r['how']} | {r['times']} | {r['failed']} | {r['commit']} |" for r in results if promise_of[r["trial"]] == promise] + [""]
    readers = next((r["readers"] for r in results if "readers" in r), {})
    lines += ["| reader | inputs |", "| --- | --- |"] + [f"| {name} | {number} |" for name, number in sorted(readers.items())]
    before, rest = PAGE.read_text().split(BEGIN)
    return before + BEGIN + "\n" + "\n".join(lines) + "\n\n" + END + rest.split(END)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=", ".join(TRIALS))
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200, help="runs of kills-N")
    parser.add_argument("--seed", type=int, default=1, help="of the instants of kills-N")
    parser.add_argument("--seconds", type=int, default=120, help="of fuzz, for each reader")
    parser.add_argument("--reader", action="append", default=[], help="of fuzz; repeatable")
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu", help="of device and soak")
    parser.add_argument("--minutes", type=int, default=60, help="of soak, for each case")
    parser.add_argument("--only", action="append", metavar="KIND", help="of calls; repeatable")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.trials) - set(TRIALS):
        parser.error(f"no trial {', '.join(sorted(unknown))}; there are {', '.join(TRIALS)}")
    if options.trials and options.program is None:
        parser.error("trials need --program")
    failures = 0
    if options.trials:
        os.environ["WATERSMEET_BINARY"] = str(options.program.resolve())
        sys.path.insert(0, str(ROOT / "tests" / "python"))
    for trial in options.trials:
        with tempfile.TemporaryDirectory() as place:
            for row, wrong in TRIALS[trial](pathlib.Path(place), options):
                failed = sum(1 for sentences in wrong if sentences)
                for sentences in wrong:
                    for sentence in sentences:
                        print(f"  {sentence.replace(place, '')}", flush=True)
                print(f"{row['trial']}: {row['times']} tried, {failed} failed", flush=True)
                failures += failed
                row = {"commit": commit_of(options.program), **row, "failed": failed}
                results = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
                for earlier in [r for r in results if r["trial"] == row["trial"] and trial in ADDED_UP]:
                    row = added_up(row, earlier)
                RESULTS.write_text(json.dumps([r for r in results if r["trial"] != row["trial"]] + [row], indent=1) + "\n")
    if options.table:
        PAGE.write_text(page_with_table())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
