#!/usr/bin/env bash
# Makes the files of a release of the present commit, in build/release-VERSION or the folder given: the archive of the sources, what changed
# (CHANGELOG.md), how far the records of validation and speed are behind, and with --packages the wheel, the package of Debian and the list of
# libraries, which are built here; SHA256SUMS has the checksums of all of them. It refuses a work tree with changes and versions that differ.
#
#   tools/release.sh [--packages] [FOLDER]
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
python=/usr/bin/python3
packages=no
if [[ ${1:-} == --packages ]]; then packages=yes && shift; fi

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

version=$(sed -n 's/^project(watersmeet VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
folder=${1:-build/release-$version}
said_by() { # FILE EXPRESSION: the version that the file has
  sed -n "s/$2/\1/p" "$1"
}
[[ $(said_by pyproject.toml '^version = "\(.*\)"$') == "$version" ]] || fail "pyproject.toml has another version than CMakeLists.txt: write version = \"$version\""
[[ $(said_by python/watersmeet/__init__.py '^__version__ = "\(.*\)"$') == "$version" ]] ||
  fail "python/watersmeet/__init__.py has another version than CMakeLists.txt: write __version__ = \"$version\""
[[ $(said_by CITATION.cff '^version: \(.*\)$') == "$version" ]] || fail "CITATION.cff has another version than CMakeLists.txt: write version: $version"
changes=$(awk -v wanted="$version" '/^## / { on = $2 == wanted; next } on' CHANGELOG.md)
[[ $changes =~ [^[:space:]] ]] || fail "CHANGELOG.md does not say what changed: add a section ## $version"
[[ -z $(git status --porcelain) ]] || fail "the work tree has changes: commit them, or call git stash -u"

mkdir -p "$folder"
[[ -z $(ls -A "$folder") ]] || fail "the folder $folder is not empty: name another one"
tools/release_archive.sh HEAD "$folder" >/dev/null
rm "$folder"/*.tar.gz.sha256 # all checksums are in one file
{
  printf '# Watersmeet %s\n\nCommit %s.\n%s\n\n' "$version" "$(git rev-parse HEAD)" "$changes"
  printf '## Records\n\nMeasurements of validation and speed, each with the number of commits up to the last change of its kernels, its own commit, the day, the system and the file.\n\n'
  "$python" tools/records.py
} >"$folder/notes.md"
if [[ $packages == yes ]]; then
  WATERSMEET_COMMIT=$(git rev-parse HEAD)
  export WATERSMEET_COMMIT
  tools/wheel.sh
  tools/deb.sh
  cp build/wheel/dist/*.whl build/deb/*.deb "$folder/"
  "$python" tools/sbom.py build/deb/watersmeet >"$folder/watersmeet.spdx.json"
fi
(cd -- "$folder" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
