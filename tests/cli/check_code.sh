# Code objects in no pickle: check and needs take .pyc files and marshal streams.
cd "$TMP" || exit
cp "$OLDPWD"/tests/code/files/* .
targets='cpython-2.7 cpython-3.6 cpython-3.7 cpython-3.8 cpython-3.9 cpython-3.10 cpython-3.11 cpython-3.12 cpython-3.13 pypy-3.9'
against=$(for target in $targets; do echo "-t $target"; done)
# What marshal.loads of each of these interpreters did: a code object (yes), or ValueError or SystemError.
while read -r file loads; do
  # shellcheck disable=SC2086
  seen=$("$PICKLESIGHT" check -q $against --json "$file" | grep -o '"load": "[a-z]*"' | sed 's/.*"loads"/yes/; s/.*"fails"/no/' | tr '\n' ' ')
  [ "$seen" = "$loads " ] && echo "$file: as marshal.loads" || echo "$file: $seen, not $loads"
done <<'TABLE'
cp27.marshal yes no no no no no no no no no
cp36.marshal no yes yes no no no no no no no
cp39.marshal no no no yes yes yes no no no yes
cp312.marshal no no no no no no yes yes yes no
cp313.marshal no no no no no no yes yes yes no
pypy39.marshal no no no yes yes yes no no no yes
TABLE
# a .pyc is imported under its own magic number only
for file in cp27.pyc cp36.pyc cp39-hash.pyc cp312.pyc cp313.pyc pypy39.pyc; do
  # shellcheck disable=SC2086
  echo "$file: $("$PICKLESIGHT" check -q $against --json "$file" | grep -o '"verdict": "[a-z]*", "parse": "[a-z]*", "load": "[a-z]*", "run": "[a-z]*"' | sed 's/"[a-z]*": //g; s/"//g' | uniq -c | sed 's/  */ /g' | tr '\n' ';')"
done
"$PICKLESIGHT" check -t cpython-3.12 -t cpython-3.11 -t pypy-3.9 cp312.pyc
echo "exit $?"
"$PICKLESIGHT" check -t cpython-3.12 -t cpython-3.11 -t cpython-3.10 cp312.marshal
echo "exit $?"
"$PICKLESIGHT" check -v -t cpython-3.12 cp312.pyc cp312.marshal
echo "exit $?"
"$PICKLESIGHT" needs cp312.pyc cp312.marshal
echo "exit $?"
"$PICKLESIGHT" check --format jsonl -t cpython-3.10 cp312.marshal | sed 's/.*\("format": "[a-z]*", "protocol": [a-z0-9]*\).*\("results".*\), "findings.*/\1 \2/'
# cut, of an unknown magic number, of a beta, of GraalPy
head -c 300 cp312.pyc >cut.pyc
(printf '\001\000'; tail -c +3 cp312.pyc) >unknown.pyc
(printf '\310\015'; tail -c +3 cp312.pyc) >beta.pyc
(printf '\052\123\r\n'; head -c 12 /dev/zero; printf '\143') >graalpy.pyc
for file in cut.pyc unknown.pyc beta.pyc graalpy.pyc; do
  "$PICKLESIGHT" check -t cpython-3.12 $file
  echo "exit $?"
  "$PICKLESIGHT" needs $file
  echo "exit $?"
done
# through a pipe, compressed, and what a pickle holds
"$PICKLESIGHT" check -t cpython-3.12 - <cp312.pyc
gzip -n cp312.marshal
"$PICKLESIGHT" check -t cpython-3.12 cp312.marshal.gz
"$PICKLESIGHT" check -t cpython-3.12 -t cpython-3.10 cp312-loads-p4.pkl pypy39-loads-p2.pkl
"$PICKLESIGHT" check -t pypy-3.9 pypy39-loads-p2.pkl
