#!/bin/sh
# Prints the functions that headers declare PKS_API, one a line, sorted.
#
#   usage: api_names.sh HEADER...
set -eu
[ $# -gt 0 ] || { echo "usage: api_names.sh HEADER..." >&2; exit 2; }

awk '
  # Comments and preprocessor lines go; what is left is split at ";".
  { text = text $0 "\n" }
  END {
    while ((start = index(text, "/*")) > 0) {
      rest = substr(text, start + 2)
      end = index(rest, "*/")
      text = substr(text, 1, start - 1) " " (end ? substr(rest, end + 2) : "")
    }
    gsub(/\\\n/, " ", text)
    count = split(text, line, "\n")
    text = ""
    for (i = 1; i <= count; i++) {
      sub(/\/\/.*/, "", line[i])
      if (line[i] !~ /^[ \t]*#/) text = text line[i] " "
    }
    count = split(text, part, ";")
    for (i = 1; i <= count; i++)
      if (match(part[i], /(^|[^A-Za-z0-9_])PKS_API[ \t]/)) {
        text = substr(part[i], RSTART + RLENGTH)
        if (match(text, /[ \t*]pks_[a-z0-9_]+[ \t]*\(/)) {
          text = substr(text, RSTART + 1, RLENGTH - 2)
          sub(/[ \t]+$/, "", text)
          print text
        }
      }
  }' "$@" | sort -u
