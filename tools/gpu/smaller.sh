#!/usr/bin/env bash
# On a machine with a GPU: small cases as they run on a GPU with less shared memory, beside the same ones with all of it.
#   tools/gpu/smaller.sh PROGRAM [BYTES]...      101376 (compute capability 8.6 and 8.9) and 166912 (8.0) when not given
# Schedules that do not fit must give way to others. A row for each case, precision and size: same bits, or by how much values differ
# at most, relative to the largest. Exit status 1 where a run fails, or where a value differs by more than 1e-12 (double) or 1e-3 (single).
set -uo pipefail
program=$(realpath "$1") folder=$(realpath "$(dirname "$0")/cases")
shift
limits=("$@")
[[ $# -gt 0 ]] || limits=(101376 166912)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
cases=(isothermal mhd "isothermal numerics.method=\"19-point\"" multicomponent "multicomponent numerics.reconstruction=\"weno5-z\"" boussinesq
  "boussinesq numerics.pressure.solver=\"mg\"" blocks "blocks numerics.order=6" "blocks numerics.order=1" box "box time.scheme=\"hevi\"" globe sphere plane)
bad=0
printf '%-62s %-7s %8s  %s\n' "case" precision bytes outcome
for words in "${cases[@]}"; do
  read -ra parts <<<"$words"
  changes=()
  for change in "${parts[@]:1}"; do changes+=(--set "$change"); done
  for precision in double single; do
    rm -rf run-*
    for bytes in all "${limits[@]}"; do
      if [[ $bytes == all ]]; then unset WATERSMEET_SHARED_MEMORY; else export WATERSMEET_SHARED_MEMORY=$bytes; fi
      outcome=
      if ! "$program" run "$folder/${parts[0]}.toml" --device gpu --precision "$precision" --dir "run-$bytes" --quiet "${changes[@]}" >said.log 2>&1; then
        outcome="FAILED: $(grep -m 1 error said.log)" bad=1
      elif [[ $bytes != all ]]; then
        "$program" diff --json run-all "run-$bytes" >compared.json
        outcome=$(python3 - "$precision" <<'PYTHON'
import json, sys
fields = [f for c in json.load(open("compared.json"))["comparisons"] for f in c["fields"]]
most = max(f["max_relative"] for f in fields)
wrong = any(f["not_finite"] for f in fields) or most > {"double": 1e-12, "single": 1e-3}[sys.argv[1]]
print("same bits" if not any(f["differing"] for f in fields) else f"{'WRONG, ' if wrong else ''}differs by {most:.1e}")
PYTHON
        )
        [[ $outcome != WRONG* && -n $outcome ]] || bad=1
      fi
      [[ -z $outcome && $bytes == all ]] || printf '%-62s %-7s %8s  %s\n' "$words" "$precision" "$bytes" "$outcome"
    done
  done
done
exit $bad
