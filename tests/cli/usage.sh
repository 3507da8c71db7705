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
run facts --as cpython-2.7
run facts --as 3
run facts --as 3.99
run facts --as 3.13.5.1
run facts --as cpython-3.13x
run facts --buffers some
run facts --buffers -1
run facts --opaque maybe
run facts --read stream
run facts --read file
run facts --read sideways
run facts --loader shovel
run facts --encoding ''
run facts --output ''
run facts --completion bash
run ops --all
run version --json
run "$(printf 'a\033[31mb')"
