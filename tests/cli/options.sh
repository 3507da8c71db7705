# Options are taken before and after the command, long and short, apart and together.
file=$TMP/p.pkl
printf 'cos\nsystem\n(S"id"\ntR.' >"$file"
"$PICKLESIGHT" facts --json --all "$file" >"$TMP/want"
same() { "$PICKLESIGHT" "$@" 2>&1 | cmp - "$TMP/want" && echo "ok $*" | sed "s|$TMP|TMP|g"; }
same --json facts --all "$file"
same facts --format json --all "$file"
same facts --format=json -a "$file"
same facts -f json -a -- "$file"
same facts -fjson -a "$file"
same facts -aj "$file"
same facts -ajq "$file"
same facts "$file" -j -a
same -j -a facts "$file"
same facts --format text --json --all "$file"
same facts -ja --jobs 3 "$file"
same facts -ja --color never --progress never --unsure pass "$file"
same facts -ja --color always "$file"
same facts -ja --read whole --opaque unknown --loader pickle "$file"
same facts -ja --loader cloudpickle "$file"
same facts -ja --loader dill "$file"
same facts -ja --loader joblib "$file"
same facts -ja --loader torch "$file"
same facts -ja --encoding latin1 --errors strict --buffers 3 --persistent-load "$file"
same facts -ja --as 3.13 "$file"
same facts -ja --as cpython-3.13.0 "$file"
same facts -ja --limit max_memory=1g -l max_ops=100k --limit=max_depth=1M "$file"

# "--" ends options; a file may be called like one.
cd "$TMP" && cp p.pkl ./--json && cp p.pkl ./-x
"$PICKLESIGHT" facts -- --json -x
"$PICKLESIGHT" facts -v p.pkl | head -n 1
