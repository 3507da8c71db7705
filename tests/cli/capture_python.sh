# A real interpreter: two captures are one, nothing personal is in them, and a capture that answers one report
# decides as a whole one does.
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || { echo "no $python"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 6))' || { echo "$python is too old"; exit 77; }
p=$PICKLESIGHT
"$p" capture --python "$python" >"$TMP/one" && "$p" capture --python "$python" >"$TMP/two"
cmp "$TMP/one" "$TMP/two" && echo "the same twice"
"$p" show "$TMP/one" | grep -e 'standard library' -e 'other modules' -e __main__
# the same in another folder, with other hashes; what is in that folder is not the target's
mkdir "$TMP/elsewhere" && echo 'raise SystemExit("imported")' >"$TMP/elsewhere/pickle.py"
cp "$TMP/elsewhere/pickle.py" "$TMP/elsewhere/strange_module.py"
(cd "$TMP/elsewhere" && PYTHONHASHSEED=7 HOME=$TMP "$p" capture --python "$python") >"$TMP/two"
cmp "$TMP/one" "$TMP/two" && echo "the same elsewhere"
grep -c -e "$TMP" -e "$(pwd)" -e '"/' "$TMP/one"
# what another folder of the path adds
mkdir -p "$TMP/more/pack/inner" "$TMP/more/space/part" "$TMP/more/Some_Thing-2.5.dist-info"
echo 'import sys; A = 1; _b = 2' >"$TMP/more/pack/__init__.py"
echo 'class C:
    def method(self): pass
def __getattr__(name):
    if name == "lazy": return 1
    raise AttributeError(name)' >"$TMP/more/pack/plain.py"
echo 'raise ValueError("no")' >"$TMP/more/pack/broken.py"
echo 'import os; os.abort()' >"$TMP/more/pack/crashes.py"
echo 'import sys; print("noise"); sys.modules[__name__ + ".made"] = sys' >"$TMP/more/maker.py"
printf 'Metadata-Version: 2.1\nName: Some.Thing\nVersion: 2.5\n' >"$TMP/more/Some_Thing-2.5.dist-info/METADATA"
printf 'pack/__init__.py,,\nmaker.py,,\n../../bin/x,,\n' >"$TMP/more/Some_Thing-2.5.dist-info/RECORD"
PYTHONPATH=$TMP/more
export PYTHONPATH
"$p" capture --python "$python" --main closed \
  --modules pack,pack.plain,pack.broken,pack.crashes,pack.none,nothing.at.all >"$TMP/with"
tr '{}' '[\n*]' <"$TMP/with" >"$TMP/lines"
grep -A 1 -e '^,*"pack[^,]*":$' -e '^,*"maker":$' -e '^,*"space":$' "$TMP/lines" | grep -v -e '^--'
grep -o -e '"some-thing":"[^"]*"' -e '"nothing"' -e '"pack.none"' "$TMP/lines"
# one question
printf '%s' '{"schema":"picklesight-report/1","payloads":[{"globals":[{"module":"pack.plain","name":"C.method"},
  {"module":"pack.plain","name":"lazy"},{"module":"pack.plain","name":"D"},{"module":"json","name":"dumps"},
  {"module":"json","name":"nothing_like_it"},{"module":"missing.one","name":"x"}],
  "modules":{"when_run":["maker","maker.made","pack.inner","nowhere"]}}]}' >"$TMP/report"
"$p" capture --python "$python" --for "$TMP/report" | tr '{}' '[\n*]' | grep -e '"a"' -e absent -e maker -e inner -e '"k"' |
  sed 's/,"cache_tag.*//'
for payload in cp313_pathlib_local_p5 cp311_cloudpickle_3.1.2_imports cp313_references_p5; do
  "$p" facts --json corpus/payloads/$payload.pkl >"$TMP/report"
  "$p" capture --python "$python" --main closed --for "$TMP/report" >"$TMP/small"
  "$p" capture --python "$python" --main closed --modules cloudpickle.cloudpickle,json >"$TMP/full"
  "$p" check -q --against "$TMP/small" corpus/payloads/$payload.pkl >"$TMP/a"; a=$?
  "$p" check -q --against "$TMP/full" corpus/payloads/$payload.pkl >"$TMP/b"; b=$?
  [ $a = $b ] || { echo "$payload: $a, but $b"; cat "$TMP/a" "$TMP/b"; }
done
