#!/usr/bin/env bash
# On a machine with a GPU, from a folder made by tools/gpu/pack.sh: one case with several settings, to compare.
#   tools/gpu/variants.sh PACK OUT EXAMPLE/FILE "name key=value key=value" "name ..." ...
set -uo pipefail
pack=$(realpath "$1") out=$(realpath "$2") case=$3
shift 3
export LD_LIBRARY_PATH="$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PYTHONPATH="$pack/share/watersmeet/python"
folder=$pack/share/watersmeet/examples/${case%%/*}
cd "$(mktemp -d)" || exit 1
for variant in "$@"; do
  read -r name settings <<<"$variant"
  flags=(--set output.overview=false)
  for s in $settings; do flags+=(--set "$s"); done
  "$pack/bin/watersmeet" run "$folder/${case##*/}.toml" --dir "$name" "${flags[@]}" >"$name.log" 2>&1
  echo "== $name: exit $?"
  tail -n 5 "$name.log"
  python3 -m watersmeet.plot "$name" >/dev/null || true
  python3 "$folder/check.py" "$name" | tee "$name/check.txt"
  tar -czf "$out/$name.tgz" --exclude='*.vtkhdf' --exclude='checkpoint_*' "$name"
done
