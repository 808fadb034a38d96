#!/usr/bin/env bash
# On a machine with a GPU, from a folder made by tools/gpu/pack.sh: runs the validation cases at full size with the command that their
# reports name, draws, judges, and keeps what is small enough to commit (series, spectra, pictures, logs).
#   tools/gpu/validate.sh PACK OUT [EXAMPLE/FILE] ... [multicomponent] [boussinesq] [shallow_water] [atmosphere] [verify[-SYSTEM][-single]] [resume[-multicomponent]]
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2")
shift 2
cases="${*:-taylor-green/case forced-turbulence/case forced-turbulence/kf-10 verify}"
two_fluids="sod/case gas-liquid-tube/case shu-osher/case interface-advection/case interface-advection/sharp interface-advection/single
  interface-advection/quick helium-cylinder/case rayleigh-collapse/case single-bubble/case single-bubble/mpcf-k bubble-row/quarter-32
  bubble-row/quarter-64 verify-multicomponent verify-multicomponent-single"
convection="onset/case onset/no-slip onset/cube rayleigh-benard/case lock-exchange/case lock-exchange/single lid-cavity/case heated-cavity/case channel/case
  taylor-green-2d/case shear-layer/case verify-boussinesq"
water="dam-break/case dam-break/dry lake-at-rest/case tsunami/case verify-shallow_water verify-shallow_water-single"
air="warm-bubble/case density-current/case gravity-wave/case schar-mountain/case agnesi-mountain/case agnesi-mountain/narrow dcmip31/case baroclinic-wave/case verify-atmosphere verify-atmosphere-single"
cases=$(for word in $cases; do
  case $word in
    multicomponent) echo "$two_fluids" ;;
    boussinesq) echo "$convection" ;;
    shallow_water) echo "$water" ;;
    atmosphere) echo "$air" ;;
    *) echo "$word" ;;
  esac
done)
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PYTHONPATH="$pack/share/watersmeet/python"
cd "$(mktemp -d)" || exit 1
summary=""
for name in $cases; do
  begin=$SECONDS
  tag=${name//\//-}
  if [[ $name == verify* ]]; then # verify, verify-single, verify-SYSTEM, verify-SYSTEM-single
    precision=double system=${name#verify} system=${system#-}
    [[ $system == *single ]] && precision=single system=${system%single} system=${system%-}
    "$pack/bin/watersmeet" verify "${system:-isothermal}" --precision "$precision" >"$out/$name.txt" 2>&1
    status=$?
    grep -E "FAIL|fail|left out|passed" "$out/$name.txt" | tail -n 20
  elif [[ $name == resume* ]]; then # resume, resume-multicomponent
    status=0
    case=$pack/share/watersmeet/examples/forced-turbulence/quick.toml
    [ "$name" = resume ] || case=$pack/share/watersmeet/examples/single-bubble/quick.toml
    for precision in single double; do
      flags=(--device gpu --precision "$precision" --quiet --set output.overview=false)
      "$pack/bin/watersmeet" run "$case" --dir "$name-whole-$precision" "${flags[@]}" --set time.steps=200 || status=1
      "$pack/bin/watersmeet" run "$case" --dir "$name-halves-$precision" "${flags[@]}" --set time.steps=100 || status=1
      "$pack/bin/watersmeet" resume "$name-halves-$precision" "${flags[@]}" --set time.steps=200 || status=1
      "$pack/bin/watersmeet" diff "$name-whole-$precision" "$name-halves-$precision" || status=1
    done
  else
    example=${name%%/*} file=${name##*/}
    folder=$pack/share/watersmeet/examples/$example
    "$pack/bin/watersmeet" run "$folder/$file.toml" --dir "$tag" --set output.overview=false >"$tag.log" 2>&1
    status=$?
    grep -vE "^ +[0-9]+  " "$tag.log" | tail -n 12
    python3 -m watersmeet.plot "$tag" || true
    python3 "$folder/check.py" "$tag" | tee "$tag/check.txt" || status=1
    tar -czf "$out/$tag.tgz" --exclude='*.vtkhdf' --exclude='checkpoint_*' "$tag"
  fi
  summary+=$(printf '%-28s exit %d   %d s' "$name" "$status" $((SECONDS - begin)))$'\n'
done
echo "$summary"
