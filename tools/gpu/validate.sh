#!/usr/bin/env bash
# Makes the records of a release (tools/gpu/records.txt) on a machine with GPUs, from a folder made by tools/gpu/pack.sh, in pieces that can
# be stopped and continued: call it again with the same OUT until it says that all are done.
#   tools/gpu/validate.sh PACK OUT [--list] [--minutes N] [--jobs N] [--device gpu|cpu] [WORD]...
# WORD: the name of a piece or the beginning of one with a *, a system, or verify, bench, run, judge, resume, script, paper; all pieces that the host has
# GPUs for when none is given. --list only prints them with their state. --minutes: of this call, 10 when not given. A run that is not done
# then keeps its checkpoint in OUT/work; any other piece begins anew, and is left out from then on where a whole call is not enough for it.
# --jobs: pieces at once, 1 when not given, but for those that measure times, which come last, one after the other.
# OUT/records has the tree of the records, to be copied over the sources; each carries command, commit, device and date. OUT/kept has series,
# spectra and pictures of the runs. The exit status is 0 when all pieces are done and their checks hold, 75 when there is more to do.
# $WATERSMEET_BINARY takes the place of the program of PACK, which may be the source tree then.
set -ufo pipefail # f: [512,1,128] of the table is no pattern of files
usage() { sed -n 's/^#   //p' "$0" | head -n 1 >&2; exit 2; }
[[ $# -ge 2 ]] || usage
tools=$(realpath "$(dirname "$0")") root=$(realpath "$(dirname "$0")/../..") pack=$(realpath "$1") || exit 2
mkdir -p "$2" && out=$(realpath "$2") || exit 2
shift 2
minutes=10 jobs=1 device=gpu list=no words=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --list) list=yes ;;
    --minutes) minutes=${2:-}; [[ $minutes =~ ^[0-9]+(\.[0-9]+)?$ && $minutes =~ [1-9] ]] || { echo "--minutes needs a number above 0" >&2; exit 2; }; shift ;;
    --jobs) jobs=${2:-}; [[ $jobs =~ ^[1-9][0-9]*$ ]] || { echo "--jobs needs a whole number above 0" >&2; exit 2; }; shift ;;
    --device) device=${2:-}; [[ $device == gpu || $device == cpu ]] || { echo "--device is gpu or cpu" >&2; exit 2; }; shift ;;
    -*) usage ;;
    *) words+=("$1") ;;
  esac
  shift
done
share=$pack/share/watersmeet
[[ -d $share ]] || share=$pack
program=${WATERSMEET_BINARY:-$pack/bin/watersmeet}
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PYTHONPATH="$share/python"
version=$("$program" --version) || { echo "the program does not start: $program" >&2; exit 3; }
commit=$(sed -n 's/.*(commit \([^,)]*\).*/\1/p' <<<"$version" | head -n 1)
gpus=1 card=CPU slug=cpu
if [[ $device == gpu ]]; then
  slug=DEVICE # as in the table where there is none
  gpus=$(nvidia-smi -L 2>/dev/null | wc -l)
  card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
  [[ -z $card ]] || slug=$(tr '[:upper:] ' '[:lower:]-' <<<"$card" | cut -d- -f1-2)
fi
whole=$(awk "BEGIN { print int(60 * $minutes) }") deadline=$((SECONDS + whole))
[[ $jobs -eq 1 ]] || export OMP_NUM_THREADS=$((jobs < $(nproc) ? $(nproc) / jobs : 1))
mkdir -p "$out"/{done,logs,work,records,kept}

pieces=() # those that are asked for
declare -A gpus_of system_of record_of words_of
while IFS='|' read -r name needs system record line; do
  name=${name// /} needs=${needs// /} system=${system// /} record=${record// /}
  [[ -n $name && $name != \#* && $name != - ]] || continue
  line=$(sed 's/^ *//; s/ *$//' <<<"$line")
  chosen=no
  [[ ${#words[@]} -gt 0 ]] || chosen=yes
  for word in "${words[@]}"; do
    # shellcheck disable=SC2053
    [[ $name != $word && $system != "$word" && ${line%% *} != "$word" ]] || chosen=yes
  done
  [[ $chosen == yes ]] || continue
  pieces+=("$name")
  record=${record//DEVICE/$slug} record=${record//CARD/${slug#nvidia-}}
  gpus_of[$name]=$needs system_of[$name]=$system record_of[$name]=$record words_of[$name]=$line
done <"$tools/records.txt"
[[ ${#pieces[@]} -gt 0 ]] || { echo "no piece is called: ${words[*]}" >&2; exit 2; }

# A mark has the status, the seconds and the commit of the program: records of another commit are made again.
state_of() { # NAME: open, done, failed, long (a whole call was not enough), or gpus (this host has too few)
  local status=- by=-
  [[ ${gpus_of[$1]} -le $gpus ]] || { echo gpus; return; }
  [[ ! -f $out/done/$1 ]] || read -r status _ by <"$out/done/$1"
  if [[ $by != "$commit" ]]; then echo open; elif [[ $status == 0 ]]; then echo "done"; elif [[ $status == 124 ]]; then echo long; else echo failed; fi
}
if [[ $list == yes ]]; then
  for name in "${pieces[@]}"; do printf '%-42s %-7s %s  %s\n' "$name" "$(state_of "$name")" "${record_of[$name]}" "${words_of[$name]}"; done
  exit 0
fi

python="" # Debian's packages belong to Debian's own interpreter
for candidate in /usr/bin/python3 python3; do
  [[ -n $python ]] || ! "$candidate" -c "import numpy, h5py, matplotlib" 2>/dev/null || python=$candidate
done
[[ -n $python ]] || { echo "checks and pictures need Python with numpy, h5py and matplotlib" >&2; exit 3; }

left() { echo $((deadline > SECONDS ? deadline - SECONDS : 1)); }
heading() { echo "# $1; commit $commit, $card, $(date -u +%F)"; } # COMMAND
place() { mkdir -p "$(dirname "$out/records/$1")" && echo "$out/records/$1"; }

verify() { # RECORD SYSTEM PRECISION FLAGS...
  local file command=("$program" verify "$2" --device "$device" --precision "$3" "${@:4}") status
  file=$(place "$1")
  { heading "watersmeet ${command[*]:1}" && timeout "$(left)" "${command[@]}"; } >"$file.part" 2>&1
  status=$?
  [[ $status == 124 ]] || mv "$file.part" "$file"
  grep -E "FAIL|fail|left out|passed" "$file" | tail -n 20
  return $status
}

bench() { # RECORD SYSTEM FLAGS...
  local file where=(--device "$device")
  file=$(place "$1")
  [[ " ${*:3} " != *" --device "* ]] || where=()
  (cd "$(dirname "$file")" && timeout "$(left)" "$program" bench "$2" "${where[@]}" "${@:3}" --output "$(basename "$file")") >"$out/logs/$name.log" 2>&1
}

draw() { # RUN FOLDER [=> PICTURE SCRIPT [ARGUMENTS]]...: pictures of a run, each by SCRIPT [ARGUMENTS] RUN FOLDER/PICTURE
  local run=$1 folder=$2 picture words status=0
  shift 2
  while [[ $# -gt 0 ]]; do
    picture=$2 words=()
    shift 2
    while [[ $# -gt 0 && $1 != "=>" ]]; do words+=("$1") && shift; done
    "$python" "$root/${words[0]}" "${words[@]:1}" "$run" "$folder/$picture" >>"$out/logs/$name.log" 2>&1 || { echo "no picture $picture" && status=1; }
  done
  return $status
}

run() { judge "$@"; }
judge() { # RECORD SYSTEM EXAMPLE/FILE... [-- FLAGS] [=> PICTURE SCRIPT [ARGUMENTS]]...
  local record=$1 cases=() flags=() drawings status=0 failed=0 case folder text picture
  shift 2
  while [[ $# -gt 0 && $1 != -- && $1 != "=>" ]]; do cases+=("$1") && shift; done
  [[ ${1:-} != -- ]] || shift
  while [[ $# -gt 0 && $1 != "=>" ]]; do flags+=("$1") && shift; done
  drawings=("$@")
  text=$(place "$record")
  : >"$out/work/$name.txt"
  for case in "${cases[@]}"; do
    folder=$out/work/$name/${case//\//-}
    if [[ ! -f $folder/ended ]]; then
      [[ $(left) -gt 15 ]] || return 75
      "$program" run "$share/examples/$case.toml" --dir "$folder" --resume=auto --wall "$(($(left) - 10))" --device "$device" \
        --set output.overview=false "${flags[@]}" >>"$out/logs/$name.log" 2>&1
      status=$?
      [[ $status != 75 ]] || return 75
      # A run that failed is judged too: the record says what is there.
      echo "$status" >"$folder/ended" || { tail -n 4 "$out/logs/$name.log" && return 1; }
    fi
    status=$(<"$folder/ended")
    [[ $status == 0 ]] || { failed=1 && echo "$case ended with status $status" >>"$out/work/$name.txt"; }
    [[ ${#cases[@]} -eq 1 ]] || echo "$case" >>"$out/work/$name.txt"
    "$python" "$share/examples/${case%%/*}/check.py" "$folder" >"$folder/check.txt" 2>&1 || failed=1
    if [[ ${#cases[@]} -eq 1 ]]; then cat "$folder/check.txt"; else sed 's/^/  /' "$folder/check.txt"; fi >>"$out/work/$name.txt"
    picture=$folder/plots/overview.png
    [[ ${words_of[$name]} != run\ * ]] || picture=${text%.txt}.png
    "$python" -m watersmeet.plot "$folder" --output "$picture" >>"$out/logs/$name.log" 2>&1 || echo "no picture of $case"
  done
  draw "$folder" "$(dirname "$text")" "${drawings[@]}" || failed=1
  { heading "watersmeet run ${cases[*]} --device $device${flags[*]:+ ${flags[*]}}, then check.py of each" && cat "$out/work/$name.txt"; } >"$text"
  tail -n 3 "$text"
  tar -czf "$out/kept/$name.tgz" -C "$out/work" --exclude='*.vtkhdf' --exclude='fields_*.h5' --exclude='checkpoint_*' "$name"
  rm -rf "${out:?}/work/$name" "$out/work/$name.txt"
  return $failed
}

resume() { # RECORD SYSTEM EXAMPLE/FILE
  local text status=0 place precision flags half
  text=$(place "$1") place=$(mktemp -d)
  for precision in single double; do
    flags=(--device "$device" --precision "$precision" --quiet --set output.overview=false)
    half=$place/halves-$precision
    timeout "$(left)" "$program" run "$share/examples/$3.toml" --dir "$place/whole-$precision" "${flags[@]}" --set time.steps=200 || status=1
    timeout "$(left)" "$program" run "$share/examples/$3.toml" --dir "$half" "${flags[@]}" --set time.steps=100 || status=1
    timeout "$(left)" "$program" resume "$half" "${flags[@]}" --set time.steps=200 || status=1
    (cd "$place" && "$program" diff "whole-$precision" "halves-$precision") || status=1
  done >"$place/said" 2>&1
  { heading "watersmeet run $3, 200 steps and twice 100, watersmeet diff" && cat "$place/said"; } >"$text"
  tail -n 4 "$text"
  rm -r "$place"
  [[ $status == 0 || $(left) -gt 0 ]] || return 124
  return $status
}

script() { # RECORD SYSTEM SCRIPT ARGUMENTS... [-> PROGRAM]: PROGRAM FOLDER RECORD
  local file folder=$out/work/$name words=("${@:4}") maker="" status
  file=$(place "$1")
  [[ " ${words[*]} " != *" -> "* ]] || { maker=${words[-1]} && words=("${words[@]:0:${#words[@]}-2}"); }
  rm -rf "$folder" && mkdir -p "$folder"
  { heading "tools/gpu/$3" && WATERSMEET_BINARY=$program timeout "$(left)" bash "$tools/$3" "$pack" "$folder" "${words[@]}"; } >"$folder/said" 2>&1
  status=$?
  tail -n 3 "$folder/said"
  [[ $status != 124 ]] || return 124
  if [[ -z $maker ]]; then cp "$folder/said" "$file"; else "$python" "$tools/../$maker" "$folder" "$file" || status=1; fi
  return $status
}

paper() { # RECORD SYSTEM PAPER [FLAGS]: its results and pictures
  local where=() status
  [[ $device == gpu ]] || where=(--device cpu)
  [[ $turn == alone ]] || where+=(--untimed)
  bash "$tools/paper.sh" "$3" "$program" "$out/papers" "$(left)" "${where[@]}" --work "$out/work/$name" "${@:4}" >"$out/logs/$name.log" 2>&1
  status=$?
  mkdir -p "$out/records/validation/papers/$3"
  for folder in results figures; do [[ ! -d $out/papers/$3/$folder ]] || cp -r "$out/papers/$3/$folder" "$out/records/validation/papers/$3/"; done
  tail -n 1 "$out/logs/$name.log"
  [[ $status == 75 ]] || rm -rf "${out:?}/work/$name"
  return $status
}

attempt() { # NAME: the piece in what is left of this call
  local words begin=$SECONDS had status by=$commit
  had=$(left)
  eval "words=(${words_of[$1]})" # the table quotes as the shell does
  "${words[0]}" "${record_of[$1]}" "${system_of[$1]}" "${words[@]:1}"
  status=$?
  if [[ $status == 75 || ($status == 124 && $had -lt $((whole - 5))) ]]; then
    echo "$1: to be continued"
    return
  fi
  printf '%s %s %s\n' "$status" $((SECONDS - begin)) "$by" >"$out/done/$1"
  case $status in 0) echo "$1: done in $((SECONDS - begin)) s" ;; 124) echo "$1: $minutes minutes are not enough" ;; *) echo "$1: FAILED, status $status" ;; esac
}

# A paper has pieces of both kinds: those that measure no times are made beside others, then the rest alone.
kind_of() { case ${words_of[$1]%% *} in bench | script) echo timed ;; paper) echo both ;; *) echo untimed ;; esac; } # NAME
turns=(alone)
[[ $jobs -eq 1 ]] || turns=(beside alone)
for turn in "${turns[@]}"; do
  for name in "${pieces[@]}"; do
    [[ $(state_of "$name") == open ]] || continue
    [[ $jobs -eq 1 || $turn-$(kind_of "$name") != @(beside-timed|alone-untimed) ]] || continue
    [[ $(left) -gt 20 ]] || break
    if [[ $turn == alone ]]; then attempt "$name"; else
      while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do wait -n; done
      (said=$(attempt "$name" 2>&1) && echo "$said") &
    fi
  done
  wait
done
declare -A count=([open]=0 [done]=0 [failed]=0 [long]=0 [gpus]=0)
for name in "${pieces[@]}"; do count[$(state_of "$name")]=$((count[$(state_of "$name")] + 1)); done
echo "${count[done]} done, ${count[failed]} failed, ${count[long]} longer than a call, ${count[open]} open, ${count[gpus]} need more GPUs"
[[ ${count[open]} -eq 0 ]] || exit 75
[[ $((count[failed] + count[long])) -eq 0 ]]
