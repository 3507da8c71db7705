# Fingerprint files as targets: what they say decides; what is wrong with one is told with its place.
cd "$TMP" || exit
printf 'cnumpy.core.multiarray\n_reconstruct\n.' >reconstruct
printf 'cnumpy._core\nx\n.' >private
printf 'c__main__\nf\n.' >main
cat >worker.json <<'JSON'
{"schema": "pickle-target/1", "implementation": "cpython", "version": [3, 12, 1],
 "loader": {"name": "pickle"}, "stdlib": "table", "complete": ["top_level", "distributions"],
 "modules": {"numpy": {"d": "numpy", "k": "p"},
             "numpy.core": {"k": "p"},
             "numpy.core.multiarray": {"k": "m", "a": ["scalar", "_reconstruct"], "open": false}},
 "distributions": {"NumPy": "1.24.2"}, "absent": ["numpy._core"],
 "main": {"names": ["f"], "open": false}}
JSON
run() { "$PICKLESIGHT" check "$@"; echo "exit $?"; }
run --against worker.json reconstruct
run --against worker.json private
run --against worker.json main
run --against cpython-3.12 --against worker.json main reconstruct
"$PICKLESIGHT" show worker.json
bad() { printf '%s' "$1" >bad.json; "$PICKLESIGHT" check --against bad.json main; echo "exit $?"; }
bad ''
bad '{'
bad '[]'
bad '{"schema": "pickle-target/1"}'
bad '{"schema": "pickle-target/2", "implementation": "cpython", "version": [3, 12]}'
bad '{"schema": "pickle-target/1", "implementation": "cpython", "version": [3, 12], "version": [3, 12]}'
bad '{"schema": "pickle-target/1", "implementation": "cpython", "version": [3.12]}'
bad '{"schema": "pickle-target/1", "implementation": "cpython", "version": [4, 0]}'
bad "$(printf '{"schema": "pickle-target/1", "implementation": "\033[31m", "version": [3, 12]}')"
mkdir folder
run --against folder main
run --against worker.json --with nonsense main
run --against worker.json --with '' main
run --limit max_memory=1k --against worker.json main
