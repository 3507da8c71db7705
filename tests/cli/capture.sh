# The fingerprint of an interpreter: what is asked of it, and what it may answer. The interpreters here are
# scripts that answer as they are told; capture_python.sh asks a real one.
p=$PICKLESIGHT
fake() {
  { echo '#!/bin/sh'; cat; } >"$TMP/python"
  chmod +x "$TMP/python"
}
# what is left of an answer
answer() {
  { echo 'cat >/dev/null; cat >&3 <<\END'; cat; echo END; } | fake
  "$p" capture --python "$TMP/python"
  echo " exit $?"
}
start='"schema":"pickle-target/1","implementation":"cpython","version":[3,12,1],"stdlib":"listed"'

echo '== what the table says is not told again'
answer <<END
{$start,"complete":[],"modules":{"json":{"k":"p","s":true},"json.decoder":{"k":"m","s":true,"a":["JSONDecoder"],"open":true},"mine":{"k":"m"}}}
END
echo '== what differs is'
answer <<END
{$start,"complete":[],"absent":["imp","lzma","other"],"modules":{"json":{"k":"p","s":true,"a":["dumps"],"lacks":["loads"],"open":true},
"json.new":{"k":"m","s":true,"a":[]},"sqlite3":{"k":"p","s":true,"fails":true}}}
END
echo '== of a whole list, what is missing, and what does not import without it'
answer <<END | grep -o '"absent":.*"tkinter"' | tr , '\n' | grep -e sqlite -e bz2 -e '"os' -e tkinter
{$start,"complete":["distributions"],"modules":{"os":{"k":"m","s":true},"sqlite3":{"k":"p","s":true},"bz2":{"k":"m","s":true}}}
END
echo '== no table of this Python'
answer <<END
{"schema":"pickle-target/1","implementation":"cpython","version":[3,99,0],"stdlib":"listed","modules":{"os":{"k":"m","s":true}}}
END
echo '== no answer'
answer <<END
not JSON
END
fake <<'END'
cat >/dev/null
END
"$p" capture --python "$TMP/python"; echo "exit $?"
fake <<'END'
echo 'Traceback' >&2; echo "NameError: no such thing" >&2; exit 3
END
"$p" capture --python "$TMP/python"; echo "exit $?"
fake <<'END'
kill -9 $$
END
"$p" capture --python "$TMP/python"; echo "exit $?"
"$p" capture --python "$TMP/none"; echo "exit $?"
PATH=$TMP "$p" capture; echo "exit $?"
"$p" capture --python /; echo "exit $?"
echo '== what an environment prints is no part of the answer'
{ echo 'echo hello; echo hello >&2; cat >/dev/null'; echo "echo '{$start}' >&3"; } | fake
"$p" capture --python "$TMP/python"; echo " exit $?"
echo '== what is asked'
fake <<'END'
sed '/timeout.*}$/q' >"$TMP/request"
END
ask() {
  "$p" capture --python "$TMP/python" "$@" 2>/dev/null
  cat "$TMP/request"
}
ask
ask --main closed --modules "json,numpy.core" --modules "q'uo\\te"
ask --main "A,b"
printf '%s\n' '{"schema":"picklesight-report/1","payloads":[{"globals":[' \
  '{"module":"a.b","name":"C.d","spelled":{"module":"old","name":"C"}}],"code":[{"imports":["json"],"globals":["os"],' \
  '"import_details":[{"module":"x","level":0,"absolute":"x","names":["y","*"]},{"module":"z","level":1,"absolute":null,' \
  '"names":["w"]}]}],"modules":{"by_reference":["m"],"by_value":["v"],"when_run":["r"]}}]}' >"$TMP/report"
ask --for "$TMP/report"
printf '%s\n' '{"container":"raw","globals":[{"module":"one","name":"A"}]}' \
  '{"container":"raw","globals":[{"module":"two","name":"\u00e9"}]}' '{"summary":{}}' >"$TMP/report"
ask --for "$TMP/report" | grep -e one -e two
for text in '' '{}' '{"schema":"picklesight-report/1"' '[1'; do
  printf '%s' "$text" >"$TMP/report"
  "$p" capture --python "$TMP/python" --for "$TMP/report"; echo "exit $?"
done
"$p" capture --for "$TMP/nothing"; echo "exit $?"
"$p" capture something; echo "exit $?"
echo '== by hand'
"$p" capture --script --main closed | head -n 1
printf '{%s,"modules":{"abc":{"k":"m","s":true}}}' "$start" | "$p" capture --from - --loader dill; echo " exit $?"
"$p" capture --from "$TMP/nothing"; echo "exit $?"
