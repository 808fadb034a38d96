#!/usr/bin/env bash
# Builds the site of the documents into build/site; warnings are errors. The packages of packaging/site.txt go into a virtual
# environment of their own, build/site-python.
#
#   tools/build_site.sh          then open build/site/index.html; tools/look_at_site.py looks at every page
#
# Exit status: 3 when the packages cannot be had, else that of mkdocs.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
python=build/site-python/bin/python
if ! cmp -s packaging/site.txt build/site-python/made-from; then
  rm -rf build/site-python
  if ! /usr/bin/python3 -m venv build/site-python ||
    ! timeout 240 "$python" -m pip -q --disable-pip-version-check --retries 1 --timeout 20 install -r packaging/site.txt; then
    echo "the packages of packaging/site.txt cannot be had" >&2
    exit 3
  fi
  cp packaging/site.txt build/site-python/made-from
fi
NO_MKDOCS_2_WARNING=true "$python" -m mkdocs build --strict --site-dir build/site
