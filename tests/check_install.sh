#!/bin/sh
# `make install` and `make uninstall` under DESTDIR:
#
#   files      what is installed is what is listed here, links point into the folder
#   static, shared
#              a program is built over the installed header and library as pkg-config says, and runs
#   tool       the installed tool runs
#   nothing    uninstall leaves no file behind
#
#   usage: [BUILD=build] [MAKE=make] [CC=cc] check_install.sh
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build} MAKE=${MAKE:-make} CC=${CC:-cc}
export LC_ALL=C

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
root=$scratch/root

passed=0 failed=0
# verdict NAME MEANING: passes when $scratch/NAME is empty, else shows it
verdict() {
  if [ -s "$scratch/$1" ]; then
    echo "FAILED: $1: $2"
    sed 's/^/  /' "$scratch/$1"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

abi=$(awk '$2 == "PKS_VERSION_MAJOR" { a = $3 } $2 == "PKS_VERSION_MINOR" { b = $3 }
           END { print (a > 0 ? a : a "." b) }' include/picklesight.h)
version=$(awk '/define PKS_VERSION_(MAJOR|MINOR|PATCH)/ { printf "%s%s", dot, $3; dot = "." }' \
  include/picklesight.h)
make_it() { $MAKE --no-print-directory "$@" BUILD="$BUILD" DESTDIR="$root" PREFIX=/opt/pks; }

make_it install >"$scratch/log" 2>&1 || cat "$scratch/log"
cat >"$scratch/wanted" <<LIST
bin/picklesight
lib/libpicklesight.a
lib/libpicklesight.so
lib/libpicklesight.so.$abi
lib/libpicklesight.so.$version
lib/pkgconfig/picklesight.pc
share/bash-completion/completions/picklesight
share/fish/vendor_completions.d/picklesight.fish
share/man/man1/picklesight.1
share/zsh/site-functions/_picklesight
LIST
for header in include/*.h; do echo "$header"; done >>"$scratch/wanted"
sort "$scratch/wanted" -o "$scratch/wanted"
(cd "$root/opt/pks" && find . ! -type d | sed 's|^\./||' | sort) >"$scratch/seen"
{
  diff "$scratch/wanted" "$scratch/seen"
  find "$root" -type l | while IFS= read -r link; do [ -e "$link" ] || echo "$link points nowhere"; done
  grep -n "$root" "$root/opt/pks/lib/pkgconfig/picklesight.pc"
} >"$scratch/files"
verdict files "< wanted, not installed; > installed, not wanted"

# pkg-config puts the root before the paths that it prints
package() {
  PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$root/opt/pks/lib/pkgconfig pkg-config "$@" picklesight
}
task=corpus/payloads/cp311_cloudpickle_3.1.2_lambda_task.pkl
# over WHICH FLAG...: builds gate.c over the installed library and asks it twice
over() {
  which=$1
  shift
  # shellcheck disable=SC2046,SC2086 # lists of words
  $CC ${CFLAGS:-} -o "$scratch/gate-$which" src/examples/gate.c $(package --cflags) "$@" ${LDFLAGS:-}
  for wanted in '3.11 0' '3.12 2'; do
    LD_LIBRARY_PATH=$root/opt/pks/lib "$scratch/gate-$which" "cpython-${wanted% *}" cloudpickle==3.1.2 $task \
      >/dev/null
    echo $? >"$scratch/status"
    [ "$(cat "$scratch/status")" = "${wanted#* }" ] || echo "cpython-${wanted% *}: not ${wanted#* }"
  done
}
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046
  over shared $(package --libs) >"$scratch/shared" 2>&1
  verdict shared "a program over the shared library"
  # shellcheck disable=SC2046
  over static -Wl,-Bstatic $(package --libs) -Wl,-Bdynamic $(pkg-config --libs zlib) \
    >"$scratch/static" 2>&1
  verdict static "a program over the static library"
  [ "$(package --modversion)" = "$version" ] || echo "version $(package --modversion)" >"$scratch/pc"
  verdict pc "the package's version"
fi

"$root/opt/pks/bin/picklesight" version >"$scratch/version"
echo "picklesight $version" | diff - "$scratch/version" >"$scratch/tool"
verdict tool "the installed tool's version"

make_it uninstall >"$scratch/log" 2>&1 || cat "$scratch/log"
find "$root" ! -type d >"$scratch/nothing"
verdict nothing "left after uninstall"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
