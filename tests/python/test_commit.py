"""Which commit a build names (cmake/commit.cmake): of the option, of an archive, of a clone, in this order."""

import re
import shutil
import subprocess

import pytest
from conftest import root

pytestmark = pytest.mark.skipif(not shutil.which("cmake") or not shutil.which("git"), reason="needs cmake and git")
given = "1a2b3c4d5e6f"


def git(folder, *words):
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *names, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit_and_state(folder, *words):
    header = folder.parent / "commit.hpp"
    script = ("-P", str(root / "cmake/commit.cmake"))
    subprocess.run(["cmake", f"-DSOURCE={folder}", f"-DHEADER={header}", *words, *script], check=True, capture_output=True)
    found = re.search(r'COMMIT "(\w+)"\n#define WATERSMEET_DIRTY (\w+)', header.read_text())
    return found[1], found[2] == "true"


@pytest.fixture
def sources(tmp_path):
    """A copy of the sources, as far as the script reads them, in a repository that is not theirs."""
    folder = tmp_path / "sources"
    (folder / "cmake").mkdir(parents=True)
    for name in ("cmake/commit.txt", ".gitattributes"):
        shutil.copy(root / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "another history")
    return folder


def test_a_clone_names_its_commit_and_changed_files(sources):
    head = git(sources, "rev-parse", "HEAD")
    assert commit_and_state(sources) == (head[:12], False)
    (sources / ".gitattributes").write_text("")
    assert commit_and_state(sources) == (head[:12], True)


def test_the_option_wins_over_a_repository_made_around_a_copy(sources):
    assert commit_and_state(sources, f"-DCOMMIT={given}") == (given, False)


def test_an_archive_names_the_commit_that_it_was_made_from(sources, tmp_path):
    place = tmp_path / "elsewhere" / "unpacked"
    place.mkdir(parents=True)
    archive = tmp_path / "sources.tar"
    git(sources, "archive", "-o", str(archive), "HEAD")
    subprocess.run(["tar", "xf", archive, "-C", place], check=True)
    head = git(sources, "rev-parse", "HEAD")
    assert (place / "cmake/commit.txt").read_text().strip() == head
    assert commit_and_state(place) == (head[:12], False)
    assert commit_and_state(place, f"-DCOMMIT={given}") == (given, False)
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "another history")
    assert commit_and_state(place) == (head[:12], False)


def test_without_history_the_commit_is_unknown(sources):
    shutil.rmtree(sources / ".git")
    assert commit_and_state(sources) == ("unknown", False)
    git(sources, "init", "-q")  # a HEAD of no commit yet
    assert commit_and_state(sources) == ("unknown", False)


def test_the_option_is_a_hash(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(one LANGUAGES NONE)\n"
        f'include("{root}/cmake/commit.cmake")\nadd_custom_target(one)\nwatersmeet_commit(one "{tmp_path}/one.cpp")\n'
    )
    for word, accepted in (("1A2b3c4d5e6f7a8b", True), ("unknown", True), ("", True), ("HEAD", False), ('1a"', False)):
        done = subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DWATERSMEET_COMMIT={word}"], capture_output=True, text=True)
        assert (done.returncode == 0) == accepted, done.stderr
        assert accepted or "is no commit" in done.stderr
