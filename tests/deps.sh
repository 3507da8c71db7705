#!/bin/sh
# Sees to it that what `make` and `make check` need is there. On Debian and its children it
# installs what is missing when it may (root, or sudo without a password); else it says which
# packages are missing, prints the line that installs them, and fails.
#
#   usage: [CC=cc] deps.sh [build]      build: not what only tests need
set -eu

what=${1:-all} missing=
need() { missing="$missing $1"; }
has_header() {
  printf '#include <%s>\n' "$1" | ${CC:-cc} -E -x c - >/dev/null 2>&1
}

look() {
  missing=
  # Without a compiler no header can be looked for; the packages say so themselves then.
  command -v "${CC%% *}" >/dev/null 2>&1 || need gcc
  command -v make >/dev/null 2>&1 || need make
  has_header zlib.h || need zlib1g-dev
  if [ "$what" = build ]; then return; fi
  command -v pkg-config >/dev/null 2>&1 || need pkg-config
  has_header check.h || need check
}

CC=${CC:-cc}
look
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "deps: missing (by their Debian names):$missing" >&2
  exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root='sudo -n'
else
  echo "deps: missing packages; install them with" >&2
  echo "  sudo apt-get install$missing" >&2
  exit 1
fi

echo "deps: installing$missing"
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" >&2
}
# shellcheck disable=SC2086 # a list of words
apt install --no-install-recommends $missing ||
  { apt update && apt install --no-install-recommends $missing; }

look
[ -z "$missing" ] || { echo "deps: still missing:$missing" >&2; exit 1; }
