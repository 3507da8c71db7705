# facts --code: instructions, under the inferred version or under another.
cd "$TMP" || exit
cp "$OLDPWD"/tests/code/files/* .
cp "$OLDPWD"/corpus/payloads/cp31[01]_cloudpickle_*[ks].pkl .
code() { "$PICKLESIGHT" facts "$@" | sed -n '/carries code/,/^  [a-z]/p'; }
code --code "cp27-loads-p2.pkl"
code --code "cp312.pyc"
code -c --as cpython-3.9.2 "cp39.marshal"
code -c --as pypy-3.9 "pypy39.marshal" | head -9
code -c --as 3.4 "cp36.marshal" | head -9
code -c "cp311_cloudpickle_3.1.2_imports.pkl" | head -30
code -c "cp312-package.pkl" | head -12
# of two versions that differ both are listed; of none nothing is
code -c "$OLDPWD/corpus/more/cp36_cloudpickle_2.0.0_coroutine.pkl" | head -40
printf 'ctypes\nCodeType\n(K\001K\002tR.' | "$PICKLESIGHT" facts --code -
printf 'ctypes\nCodeType\n(K\001K\002tR.' | "$PICKLESIGHT" facts --code --as 3.9 - | tail -2
"$PICKLESIGHT" facts --code --json "cp312-package.pkl" | grep '"offset".*"how"' |
  sed 's/"file": "[^"]*", //; s/{"offset"/\n&/g'
# names imported inside, by full name where the function's package is known
"$PICKLESIGHT" facts --json cp312-package.pkl | grep -o '"import_details": \[{.*\], "globals"\|"when_run": [^}]*'
"$PICKLESIGHT" facts --as pypy-3.9 "cp27.marshal"
"$PICKLESIGHT" ops --code "cp27.marshal"
echo "exit $?"
