#!/usr/bin/env bash
# Tries a package from nothing: in a bare root file system of Debian 12, made by debootstrap, it is installed and a first picture drawn there.
# Prints the seconds of each step, those of the processor, and the load of the machine. As root, with debootstrap and a mirror of Debian.
#
#   tools/try_bare.sh wheel       the wheel of tools/wheel.sh, in a virtual environment, from a local folder of packages
#   tools/try_bare.sh deb         the package of tools/deb.sh, by apt
#   tools/try_bare.sh source      the sources of HEAD, by ./wm
#
# The folder build/bare has the file systems. Environment: MIRROR=http://deb.debian.org/debian; CMAKE_BUILD_PARALLEL_LEVEL=N, so many compilers at once.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
kind=${1:-}
case $kind in wheel | deb | source) ;; *) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 2 ;; esac
base=$PWD/build/bare/base root=$PWD/build/bare/$kind
if [[ ! -f $base/made ]]; then
  rm -rf "$base"
  mkdir -p "$base"
  debootstrap --variant=minbase bookworm "$base" "${MIRROR:-http://deb.debian.org/debian}" >build/bare/debootstrap.log
  cp /etc/resolv.conf "$base/etc/"
  touch "$base/made"
fi
rm -rf "$root"
cp -a "$base" "$root"
mkdir "$root/package"

# Steps of the trial, run inside; $TIME times a step.
live="import watersmeet; s = watersmeet.Simulation('sod/quick'); s.advance_to(0.1); print('done   in Python, t =', s.t)"
picture='cd /root && watersmeet run sod/quick --device cpu && ls -l runs/latest/plots/overview.png'
case $kind in
  wheel)
    mkdir -p build/bare/index
    build/wheel/tools/bin/python -m pip -q --disable-pip-version-check download --dest build/bare/index 'numpy' 'h5py' 'matplotlib>=3.6'
    cp build/bare/index/*.whl build/wheel/dist/*.whl "$root/package/"
    steps=("apt-get -q update && apt-get -q -y install --no-install-recommends python3-venv"
      "python3 -m venv /venv && /venv/bin/pip -q install --no-index --find-links /package 'watersmeet[plot]'"
      "PATH=/venv/bin:\$PATH; $picture" "/venv/bin/python -c \"$live\"")
    ;;
  deb)
    cp build/deb/*.deb "$root/package/"
    steps=("apt-get -q update && apt-get -q -y install --no-install-recommends /package/*.deb python3-matplotlib" "$picture" "python3 -c \"$live\"")
    ;;
  source)
    tools/release_archive.sh HEAD "$root/package" >/dev/null
    tar -xzf "$root"/package/*.tar.gz -C "$root/package"
    steps=("cd /package/watersmeet-*/ && WATERSMEET_PRESET=release ./wm run sod/quick --device cpu --dir /root/runs/first && ls -l /root/runs/first/plots/overview.png")
    ;;
esac
{
  echo 'set -euo pipefail; export DEBIAN_FRONTEND=noninteractive HOME=/root TIMEFORMAT="seconds: %R, of the processor: user %U, system %S"'
  echo 'mount -t proc proc /proc'
  for step in "${steps[@]}"; do
    printf 'echo "== %s"; time bash -c %q\n' "${step//[\"\$\`]/}" "set -euo pipefail; $step"
  done
} >"$root/package/trial.sh"
echo "commit $(git rev-parse --short=12 HEAD), $(date -u +%Y-%m-%d), load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
before=$SECONDS
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${CMAKE_BUILD_PARALLEL_LEVEL:+CMAKE_BUILD_PARALLEL_LEVEL=$CMAKE_BUILD_PARALLEL_LEVEL} unshare --mount --pid --fork chroot "$root" /bin/bash /package/trial.sh 2>&1 | tee "build/bare/$kind.log" |
  grep -E '^(==|seconds|error|watersmeet|done  |-rw)|Error' || true
[[ -n $(find "$root/root/runs" -name overview.png 2>/dev/null) ]] || { tail -n 20 "build/bare/$kind.log" >&2 && exit 1; }
echo "load $(cut -d' ' -f1-3 /proc/loadavg); all steps: $((SECONDS - before)) s"
