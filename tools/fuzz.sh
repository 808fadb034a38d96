#!/usr/bin/env bash
# Gives each reader of foreign input (tests/fuzz) damaged and hostile input for a while, under the address and undefined-behaviour sanitizers.
# Needs clang with its libFuzzer, and the build that `cmake --preset fuzz && cmake --build build/fuzz --target fuzzer` makes. Without clang,
# `fuzzer` of any other build with tests changes inputs at random (tests/fuzz/blind.cpp).
#
#   tools/fuzz.sh [SECONDS] [TARGET...]     120 s of every target when not given, as before a release
#
# An input that is a fault (a crash, a hang above 5 s, an allocation above 1 GiB, an error of the program itself) is kept in build/fuzz/found.
# Mend it, then put the input into tests/fuzz/corpus/TARGET, where test_fuzz reads it in every build. Faults that the address sanitizer finds in HDF5 or
# CGNS (tests/fuzz/library_fault.hpp) are listed by kind and not counted. The last line is
# "N executions, N faults"; the line before it names the commit. The numbers of each target go into build/fuzz/executions.txt. Exit status 1
# where there was a fault.
#
# Variables: WATERSMEET_FUZZ_TIMEOUT=25   limit of one input by the clock, 5 unless given: on a machine with other work more than that of processor time
#            WATERSMEET_FUZZER=build/release/tests/fuzz/fuzzer   another program than that of build/fuzz
#            WATERSMEET_FUZZ_OUT=FOLDER   for what is found, logs and numbers, instead of build/fuzz
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
root=$PWD
program=$(realpath -m -- "${WATERSMEET_FUZZER:-build/fuzz/tests/fuzz/fuzzer}")
out=$(realpath -m -- "${WATERSMEET_FUZZ_OUT:-build/fuzz}")
[[ -x $program ]] || { echo "no $program: cmake --preset fuzz && cmake --build build/fuzz --target fuzzer" >&2 && exit 3; }
seconds=${1:-120}
shift || true
targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
  for folder in tests/fuzz/corpus/*/; do targets+=("$(basename "$folder")"); done
fi
found=$out/found
work=$(mktemp -d "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/watersmeet-fuzz-XXXXXX") # flushes to a disk would cost most of the time
trap 'rm -rf "$work"' EXIT
mkdir -p "$found" "$out/grown"
/usr/bin/python3 tests/fuzz/seeds.py "$work/seeds" >/dev/null
executions=0 faults=0
for target in "${targets[@]}"; do
  mkdir -p "$work/$target" "$work/seeds/$target" "$out/grown/$target"
  log=$out/$target.log
  status=0
  # Half of an array that a reader asks for is in the file: 1 GiB is far above what inputs of 200 kB justify. The sanitizer watches it, whose report
  # tells memory that HDF5 asks for. To name the lines in every report of
  # the sanitizer, to keep 256 MB of freed memory and to weigh inputs by how rare what they reach is would cost much time; a fault is tried
  # again with all lines named.
  export OMP_NUM_THREADS=1 WATERSMEET_FUZZ_TARGET=$target WATERSMEET_FUZZ_FOLDER=$work/$target
  checks=detect_leaks=0:allocator_may_return_null=0:max_allocation_size_mb=1024
  quick=symbolize=0:quarantine_size_mb=16:malloc_context_size=3:max_malloc_fill_size=0
  touch "$work/begin"
  (cd -- "$work/$target" && ASAN_OPTIONS=$checks:$quick "$program" \
    -max_total_time="$seconds" -timeout="${WATERSMEET_FUZZ_TIMEOUT:-5}" \
    -rss_limit_mb=4096 -max_len=200000 -len_control=20 -entropic=0 -print_final_stats=1 -artifact_prefix="$found/$target-" \
    "$out/grown/$target" "$work/seeds/$target" "$root/tests/fuzz/corpus/$target") >"$log" 2>&1 || status=$?
  number=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  executions=$((executions + ${number:-0}))
  echo "$target: ${number:-0} executions in $seconds s"
  grep -o 'fault of a library: .*' "$log" | sort | uniq -c | sort -rn || true
  commit=$(sed -n 's/^commit //p' "$log")
  echo "$(date -u +%F) $target ${number:-0} $commit" >>"$out/executions.txt"
  if [[ $status -ne 0 ]]; then
    faults=$((faults + 1))
    find "$found" -name "$target-*" -newer "$work/begin" | while read -r input; do
      (cd -- "$work/$target" && ASAN_OPTIONS=$checks "$program" "$input") >>"$log" 2>&1 || true
    done
    grep -m 3 -E "ERROR|runtime error|terminate|what\(\)" "$log" || tail -n 5 "$log"
  fi
  # Of libFuzzer: without counters it would change inputs at random.
  ! grep -q 'INFO: Seed' "$log" || grep -q 'inline 8-bit counters' "$log" || { echo "$target: libFuzzer sees no counters" && faults=$((faults + 1)); }
  # What the target wrote is in its folder: anything beside is a fault.
  outside=$(find "$work" -mindepth 1 -maxdepth 1 ! -name seeds ! -name begin ! -name "$target")
  [[ -z $outside ]] || { echo "written outside its folder: $outside" && faults=$((faults + 1)); }
  rm -rf "${work:?}/$target"
done
echo "commit ${commit:-unknown}"
echo "$executions executions, $faults faults"
[[ $faults -eq 0 ]]
