#!/usr/bin/env bash
# Tries the tests: puts each deliberate fault of tests/mutations/mutations.toml into a scratch copy of the sources, builds what is to
# catch it and runs that, without CUDA. Prints a table: the fault, and the first test that failed, or MISSED.
#   tools/mutate.sh [-j COPIES] [NAME...]      default: one copy, all faults
# Each copy takes the processors divided by COPIES, and a build folder of its own under build/mutants, which is kept for the next call.
# WATERSMEET_CMAKE_FLAGS are more words for the configuration. Exit status 1 when a fault is missed, does not compile or does not apply,
# or when a test fails without any.
set -uo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD copies=1
[[ ${1:-} != -j ]] || { copies=$2 && shift 2; }
python=/usr/bin/python3
list() { "$python" "$root/tests/mutations/mutation.py" "$@"; }
mapfile -t names < <(list names "$@")
[[ ${#names[@]} -gt 0 ]] || exit 1
mapfile -t programs < <(list programs "${names[@]}")
jobs=$((($(nproc) + copies - 1) / copies))
work=$root/build/mutants
read -r -a flags <<<"${WATERSMEET_CMAKE_FLAGS:-}"

first_failure() { # COPY NAME-OR-"" TEST...: runs tests; prints the first that fails and returns 0, else 1
  local copy=$1 test status report
  shift
  export OMP_NUM_THREADS=$jobs PATH="$copy/build/release:$PATH" WATERSMEET_BINARY="$copy/build/release/watersmeet" WATERSMEET_BUILD="$copy/build/release"
  for test in "$@"; do
    report=$copy/test.log status=0
    if [[ $test == pytest\ * ]]; then
      (cd "$copy" && PYTHONPATH=python timeout 900 "$python" -m pytest -q -x "${test#pytest }") >"$report" 2>&1 || status=$?
      [[ $status -eq 0 ]] || { sed -n 's/^FAILED \([^ ]*\).*/\1/p;s/^ERROR \([^ ]*\).*/\1/p' "$report" | head -n 1 | grep . || echo "$test"; return 0; }
    else
      timeout 900 "$copy/build/release/tests/$test" --gtest_brief=1 --gtest_fail_fast >"$report" 2>&1 || status=$?
      [[ $status -eq 0 ]] || { sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$report" | head -n 1 | grep . || echo "$test (status $status)"; return 0; }
    fi
  done
  return 1
}

refresh() { # COPY: makes it what the sources are, and touches what differs only, for the build's sake
  local file
  (cd "$1" && find . -path ./build -prune -o -type f -print0) | while IFS= read -r -d '' file; do
    [[ -f $root/$file ]] || rm "$1/$file"
  done
  git -C "$root" ls-files -z | while IFS= read -r -d '' file; do
    [[ ! -f $root/$file ]] || cmp -s "$root/$file" "$1/$file" || { mkdir -p "$(dirname "$1/$file")" && cp "$root/$file" "$1/$file"; }
  done
}

take() { # the first name of the list of things to do, which loses it
  head -n 1 "$work/todo" && sed -i 1d "$work/todo"
}

prepare() { # COPY: the sources without a fault, built
  mkdir -p "$1"
  refresh "$1"
  (cd "$1" && cmake --preset release "${flags[@]}" && cmake --build build/release -j "$jobs" --target watersmeet "${programs[@]}") >"$1/build.log" 2>&1
}

worker() { # NUMBER: takes faults off the list until none is left
  local copy=$work/copy-$1 name caught needed
  if ! prepare "$copy"; then
    echo "the sources do not build without a fault: $copy/build.log" >>"$work/broken"
    return 1
  fi
  exec 9>"$work/lock"
  while flock 9 && name=$(take) && flock -u 9 && [[ -n $name ]]; do
    mapfile -t tests < <(list tests "$name")
    if ! list apply "$name" "$copy" 2>"$copy/apply.log"; then
      caught="MISSED: $(<"$copy/apply.log")"
    else
      mapfile -t needed < <(list programs "$name" | grep .)
      if ! (cd "$copy" && cmake --build build/release -j "$jobs" --target watersmeet "${needed[@]}") >"$copy/build.log" 2>&1; then
        caught="MISSED: it does not compile"
        cp "$copy/build.log" "$work/$name.log"
      else
        caught=$(first_failure "$copy" "${tests[@]}") || caught=MISSED
      fi
      list revert "$name" "$copy"
    fi
    printf '%-34s %s\n' "$name" "$caught" | tee -a "$work/table"
  done
}

mkdir -p "$work"
rm -f "$work"/{table,broken,*.log}
printf '%s\n' "${names[@]}" >"$work/todo"
# Without a fault all of these tests pass, or a failure says nothing.
mapfile -t tests < <(for name in "${names[@]}"; do list tests "$name"; done | sort -u)
prepare "$work/copy-0" || { echo "the sources do not build without a fault: $work/copy-0/build.log" && exit 1; }
if failing=$(first_failure "$work/copy-0" "${tests[@]}"); then
  echo "without a fault $failing fails: $work/copy-0/test.log" && exit 1
fi
for ((n = 0; n < copies; n++)); do worker "$n" & done
wait
if [[ -f $work/broken ]]; then
  cat "$work/broken" && exit 1
fi
missed=$(grep -c ' MISSED' "$work/table")
echo "$((${#names[@]} - missed)) of ${#names[@]} faults caught"
[[ $missed -eq 0 ]]
