"""What a release is made from and what a run needs: the archive, the list of libraries, the flags of the linker, no network."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest
from conftest import root
from rank_runs import on_ranks
from runs import assert_same_end, binary, environment, flow, needs_program, succeed

no_namespace = shutil.which("unshare") is None or subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode != 0


@pytest.mark.skipif(not (root / ".git").exists(), reason="no clone")
def test_two_archives_of_a_commit_are_the_same_bytes(tmp_path):
    sums = []
    for number, (umask, zone) in enumerate(((0o022, "UTC"), (0o077, "Asia/Tokyo"))):
        folder = tmp_path / str(number)
        line = [root / "tools/release_archive.sh", "HEAD", folder]
        said = subprocess.run(line, cwd=tmp_path, env={**os.environ, "TZ": zone}, umask=umask, capture_output=True, text=True)
        if "dubious ownership" in said.stderr:
            pytest.skip("git refuses this clone")
        assert said.returncode == 0, said.stderr
        (archive,) = folder.glob("*.tar.gz")
        sums.append(hashlib.sha256(archive.read_bytes()).hexdigest())
        assert said.stdout.split()[0] == sums[-1] == (folder / f"{archive.name}.sha256").read_text().split()[0]
    assert sums[0] == sums[1]
    commit = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    with tarfile.open(archive) as tar:
        names = tar.getnames()
        folder = archive.name.removesuffix(".tar.gz")
        assert all(name == folder or name.startswith(f"{folder}/") for name in names)
        assert tar.extractfile(f"{folder}/cmake/commit.txt").read().decode().strip() == commit
    tracked = subprocess.run(["git", "-C", root, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert {f"{folder}/{name}" for name in tracked} <= set(names)


@needs_program
@pytest.mark.skipif(shutil.which("dpkg-query") is None or shutil.which("readelf") is None, reason="no dpkg or readelf")
def test_every_linked_library_is_listed_with_its_licence():
    line = [sys.executable, root / "tools/sbom.py", binary]
    texts = [subprocess.run(line, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert texts[0] == texts[1]
    document = json.loads(texts[0])
    packages = {package["SPDXID"]: package for package in document["packages"]}
    related = {entry["relatedSpdxElement"] for entry in document["relationships"]}
    assert set(packages) == related
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(["readelf", "-d", binary], capture_output=True, text=True, check=True).stdout)
    linked = [package for package in packages.values() if package["sourceInfo"].endswith("; linked") or "of no package" in package["sourceInfo"]]
    assert needed and linked
    known = {entry["licenseId"] for entry in document["hasExtractedLicensingInfos"]}
    for package in packages.values():
        if package["sourceInfo"].startswith("source package"):
            assert package["versionInfo"] and set(package["licenseDeclared"].split(" AND ")) <= known
    assert any("hdf5" in package["name"] for package in linked)


@needs_program
@pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf")
def test_the_program_is_hardened_by_the_linker():
    shown = subprocess.run(["readelf", "-hldW", binary], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Type:\s+DYN", shown)  # position-independent
    assert "GNU_RELRO" in shown and re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW", shown)
    assert re.search(r"GNU_STACK\s.*\sRW\s", shown)  # no code on the stack


@needs_program
@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_buffers_and_the_stack_are_guarded():
    build = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout
    if ", Debug," in build or "-fsanitize" in build:
        pytest.skip("builds without optimisation and those with sanitizers are not guarded")
    names = subprocess.run(["nm", "-D", "--undefined-only", binary], capture_output=True, text=True, check=True).stdout
    assert "__stack_chk_fail" in names
    assert {"__memcpy_chk", "__read_chk", "__pread_chk", "__pread64_chk"} & set(re.findall(r"(__\w+_chk)\b", names)), names


@needs_program
@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_the_program_itself_calls_nothing_of_the_network():
    names = subprocess.run(["nm", "-D", "--undefined-only", binary], capture_output=True, text=True, check=True).stdout
    called = {line.split()[-1].partition("@")[0] for line in names.splitlines()}
    assert "open" in called or "open64" in called  # it is a list of what is called
    assert not called & {"accept", "getaddrinfo", "gethostbyname", "sendto", "recvfrom"}
    # CUDA's static runtime passes memory handles between processes through local sockets.
    if "no CUDA" in subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout:
        assert not called & {"socket", "connect", "bind", "listen"}


@needs_program
@pytest.mark.skipif(no_namespace, reason="no network namespace can be made")
def test_a_run_needs_no_network(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)

    def alone(*words):
        result = subprocess.run(["unshare", "-rn", *map(str, words)], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    assert len(alone("cat", "/proc/net/route").splitlines()) <= 1  # its heading
    for words in (("check", "flow.toml"), ("run", "flow.toml", "--dir", "run"), ("resume", "run", "--set", "time.steps=25"), ("info", "run")):
        alone(binary, *words)
    alone(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(root / 'python')!r}); import watersmeet; print(watersmeet.open('run').series.rows)")


# Switches the loopback interface on, as `ip link set lo up` does, and becomes the program that the words name.
loopback = """import fcntl, os, socket, struct, sys
control = socket.socket()
flags = struct.unpack("16sH", fcntl.ioctl(control, 0x8913, struct.pack("16sH", b"lo", 0)))[1]
fcntl.ioctl(control, 0x8914, struct.pack("16sH", b"lo", flags | 1))
control.close()
os.execvp(sys.argv[1], sys.argv[1:])
"""


@on_ranks
@pytest.mark.skipif(no_namespace, reason="no network namespace can be made")
def test_ranks_of_one_host_need_only_its_loopback(tmp_path):
    (tmp_path / "flow.toml").write_text(flow)
    succeed("run", "flow.toml", "--dir", "one", "--device", "cpu", cwd=tmp_path)
    line = ["unshare", "-rn", sys.executable, "-c", loopback, binary, "run", "flow.toml", "--dir", "three", "--ranks", "3", "--device", "cpu"]
    result = subprocess.run(line, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    assert_same_end(tmp_path / "one", tmp_path / "three")
