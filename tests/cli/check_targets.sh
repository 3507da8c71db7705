# Several targets: each with its own --with and --bare; the worst counts, or with --any the best. Each
# payload is read as each target's unpickler reads it.
p=corpus/payloads
run() { echo "== $*" | sed "s|$p/||"; "$PICKLESIGHT" check "$@"; echo "exit $?"; }
task=$p/cp311_cloudpickle_3.1.2_lambda_task.pkl
run --against cpython-3.11 --with cloudpickle==3.1.2 --against cpython-3.11 --bare $task
run --any --against cpython-3.11 --with cloudpickle==3.1.2 --against cpython-3.11 --bare $task
run --against cpython-3.11 --against cpython-3.11 --with cloudpickle==3.1.2 $task
run $task -t pypy-3.9 -bw cloudpickle==3.1.2 -t cpython-3.11 -w cloudpickle==3.1.2 -b
# the first target's reader stops early, the others go on; so do the pickles that follow
run -q --against cpython-3.7 --against cpython-3.8 $p/cp313_several.pkl
"$PICKLESIGHT" check --json --against cpython-3.7 --against cpython-3.8 $p/cp313_several.pkl >"$TMP/whole"
"$PICKLESIGHT" check --json --against cpython-3.7 --against cpython-3.8 - <$p/cp313_several.pkl |
  sed 's|"path": "-"|"path": "corpus/payloads/cp313_several.pkl"|' | cmp - "$TMP/whole" && echo 'a pipe: the same'
# rules of single versions
cd "$TMP" || exit
printf 'I0x10\n.' >hexadecimal
printf '\200\004\225\003\000\000\000\000\000\000\000\214\003abc.' >crossed
printf '\200\006N.' >protocol6
printf '\200\005\226\001\000\000\000\000\000\000\000a.' >opcode5
printf '\226\001\000\000\000\000\000\000\000a.' >no_proto
for file in crossed protocol6 opcode5 no_proto; do
  run -q --against cpython-3.15 --against cpython-3.12 --against cpython-3.6 $file
done
