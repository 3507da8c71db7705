# Each misuse is told, and is exit 2; nothing goes to standard output.
run() { "$PICKLESIGHT" "$@"; echo "$*: exit $?"; }
run
run nonsense
run check
run facts --nonsense
run facts --nonsens=1
run facts -Z
run facts -qZ
run facts --format
run facts --format yaml
run facts --format=
run facts --json=1
run facts -l
run facts --limit max_ops
run facts --limit max_ops=x
run facts --limit max_ops=1q
run facts --limit max_ops=99999999999999999999
run facts --limit max_nothing=1
run facts --limit max_memory=17179869184g
run facts --jobs 0
run facts --jobs two
run facts --color maybe
run facts --progress sometimes
run facts --unsure maybe
run facts --as pypy-3.9
run facts --as 3
run facts --as 3.99
run facts --as 3.13.5.1
run facts --as cpython-3.13x
run facts --buffers some
run facts --buffers -1
run facts --opaque maybe
run check --with x==1 --against cpython-3.12
run check --bare
run check --against
run check --against cpython-3.12 --as cpython-3.12
run check --against cpython-9.9
run facts --against cpython-3.12
run needs --any
run show
run common cpython-3.12
run targets --limit max_ops=1
run facts --read sideways
run facts --loader shovel
run facts --encoding ''
run facts --output ''
run facts --completion bash
run ops --all
run version --json
run "$(printf 'a\033[31mb')"
