#!/usr/bin/env bash
# Makes the source archive of a release and its checksum: watersmeet-VERSION.tar.gz holds the files of a commit and nothing else, with that
# commit's time and in its cmake/commit.txt its hash, so that everybody who makes it gets the same bytes (of one version of gzip).
#
#   tools/release_archive.sh [COMMIT] [FOLDER]      HEAD and build/release-archive when not given
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
commit=$(git -C "$root" rev-parse --verify "${1:-HEAD}^{commit}")
folder=${2:-$root/build/release-archive}
version=$(git -C "$root" show "$commit:CMakeLists.txt" | sed -n 's/^project(watersmeet VERSION \([0-9.]*\).*/\1/p')
name=watersmeet-$version
mkdir -p "$folder"
# Attributes of the commit, not of this clone: export-subst is one.
git -C "$root" -c tar.umask=0022 archive --format=tar --prefix="$name/" "$commit" | gzip -n -9 >"$folder/$name.tar.gz"
(cd -- "$folder" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
