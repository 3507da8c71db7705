#!/bin/sh
# What the libraries define, take and hold, by nm:
#
#   exports   the shared library exports exactly what include/picklesight.h declares PKS_API
#   names     the static library defines only pks_* for others
#   soname    libpicklesight.so.MAJOR.MINOR before 1.0, .so.MAJOR after
#   links     the shared library needs libc and zlib, nothing else
#   calls     nothing prints, exits, starts a process, or depends on the caller's locale
#   state     no writable data
#
#   usage: [BUILD=build] [NM=nm] [CC=cc] check_symbols.sh
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD=${BUILD:-build} NM=${NM:-nm} CC=${CC:-cc}
export LC_ALL=C
header=include/picklesight.h
shared=$BUILD/libpicklesight.so
static=$BUILD/libpicklesight.a
for file in "$header" "$shared" "$static"; do
  [ -e "$file" ] || { echo "symbols: no $file"; echo "0 passed, 1 failed"; exit 1; }
done

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

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

# The names come from the compiler here, not from tests/api_names.sh, which made the library's
# version script: a declaration that one of them misses shows up as a difference.
printf '#include <picklesight.h>\n' |
  $CC -std=c11 -Iinclude -E -P -x c - | tr '\n' ' ' | tr ';' '\n' |
  sed -n 's/.*visibility("default")))//p' |
  sed -E 's/__attribute__ *\(\(([^()]|\([^()]*\))*\)\)//g' |
  sed -n 's/^[^(]*[^A-Za-z0-9_]\(pks_[A-Za-z0-9_]*\) *(.*/\1/p' |
  sort -u >"$scratch/declared"
sh tests/api_names.sh "$header" | diff "$scratch/declared" - >"$scratch/reading"
verdict reading "tests/api_names.sh and the compiler read $header differently"

# The version node itself is an absolute symbol (A).
$NM -D --defined-only "$shared" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u \
  >"$scratch/exported"
diff "$scratch/declared" "$scratch/exported" >"$scratch/exports"
verdict exports "< declared, not exported; > exported, not declared"

$NM -g --defined-only "$static" 2>/dev/null | awk 'NF == 3 && $3 !~ /^pks_/ { print $3 }' \
  >"$scratch/names"
verdict names "defined in $static without the prefix"

abi=$(awk '$2 == "PKS_VERSION_MAJOR" { major = $3 } $2 == "PKS_VERSION_MINOR" { minor = $3 }
           END { print (major > 0 ? major : major "." minor) }' "$header")
readelf -d "$shared" >"$scratch/dynamic"
sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' "$scratch/dynamic" |
  awk -v want="libpicklesight.so.$abi" '
    { seen = $0 } END { if (seen != want) print "\"" seen "\", not \"" want "\"" }' \
    >"$scratch/soname"
verdict soname "the name that programs will ask for"

sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' "$scratch/dynamic" |
  grep -v -e '^libc\.so' -e '^libz\.so' -e '^ld-linux' >"$scratch/links"
verdict links "needed besides libc and zlib"

# Known and harmless, "OBJECT:NAME": decode/number.c never shows strtod a decimal point, the one
# thing in which it depends on the locale.
known='number.o:strtod'
$NM -u "$static" 2>/dev/null | awk -v known="$known" '
  BEGIN {
    count = split(known, list, " ")
    for (i = 1; i <= count; i++) allowed[list[i]] = 1
    count = split("printf fprintf vprintf vfprintf sprintf vsprintf puts fputs fputc putc " \
      "putchar fwrite write perror fopen open exit _exit _Exit quick_exit abort raise signal " \
      "system popen fork vfork execv execve execvp dlopen getenv setenv putenv setlocale " \
      "localeconv strtod strtof strtold atof strcoll strerror __ctype_b_loc __ctype_tolower_loc " \
      "__ctype_toupper_loc time clock rand random stdout stderr stdin", list, " ")
    for (i = 1; i <= count; i++) banned[list[i]] = 1
  }
  NF == 1 && /:$/ { file = $1 }
  NF == 2 { name = $2; sub(/^__/, "", name); sub(/_chk$/, "", name)
            if (($2 in banned || name in banned) && !(file $2 in allowed)) print file, $2 }' >"$scratch/calls"
verdict calls "called by the library, which must not"

# Constant tables that hold pointers are in .data.rel.ro: written by the loader, then read-only.
size -A "$static" | awk '
  / : *\(ex|\(ex/ { file = $1 }
  $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print file, $1, $2 " bytes" }' \
  >"$scratch/state"
verdict state "writable data"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
