#!/usr/bin/env bash
# The own cases of a paper (validation/papers/NAME), in pieces that can be stopped and continued: call it again with the same OUTDIR until
# it says that none is open. The tables of what there is are printed last.
#   tools/gpu/paper.sh NAME BINARY OUTDIR [SECONDS] [--device cpu] [--small] [--untimed] [--list] [--work DIR] [--gpus N] [PIECE]...
# SECONDS: of this call, 550 when not given. OUTDIR/NAME/results has a file of numbers a piece, to be copied to validation/papers/NAME/results;
# OUTDIR/NAME/figures the pictures. --work: where runs are kept, several GB, OUTDIR/NAME/work when not given. --small: coarse grids and short
# runs, for tests. --untimed: only what measures no times. --gpus: how many of this host a run takes, 1 when not given. The exit status is 0
# when all pieces are done, 75 when there is more to do, 1 when one failed.
# The libraries of a folder made by tools/gpu/pack.sh are found where BINARY lies in it.
set -uo pipefail
[[ $# -ge 3 ]] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
root=$(realpath "$(dirname "$(realpath "$0")")/../..") name=$1 binary=$(realpath "$2") || exit 2
mkdir -p "$3/$name" && out=$(realpath "$3/$name") || exit 2
shift 3
words=(--program "$binary" --out "$out")
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
  words+=(--seconds "$1")
  shift
fi
words+=("$@")
libraries=$(dirname "$binary")/../lib
[[ ! -d $libraries ]] || export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
python="" # Debian's packages belong to Debian's own interpreter
for candidate in /usr/bin/python3 python3; do
  [[ -n $python ]] || ! "$candidate" -c "import numpy, h5py, matplotlib" 2>/dev/null || python=$candidate
done
[[ -n $python ]] || { echo "tables and pictures need Python with numpy, h5py and matplotlib" >&2; exit 3; }
exec "$python" "$root/validation/papers/paper.py" "$name" "${words[@]}"
