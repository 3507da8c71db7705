# Slots that not every version's class has: what real interpreters said of such pickles is in the .out.
file=$TMP/p.pkl
run() { # class, slot, its size in octal
  printf "\200\002c%s\n)\201N}X\\$3\000\000\000%sNs\206b." "$1" "$2" >"$file"
  shift 3
  "$PICKLESIGHT" check --against cpython-3.8 --against cpython-3.12 --against cpython-3.13 \
    --against cpython-3.14 --against cpython-3.15 "$file" | grep cpython-
}
for slot in '_line 005' '_lines 006' '_code 005' 'end_lineno 012'; do
  echo "== FrameSummary $slot"
  run 'traceback
FrameSummary' "${slot% *}" "${slot#* }"
done
for slot in 'kw_only 007' 'doc 003'; do
  echo "== Field $slot"
  run 'dataclasses
Field' "${slot% *}" "${slot#* }"
done
