run() { echo "== $*"; "$PICKLESIGHT" "$@"; echo "exit $?"; }
run help
run help ops
run facts --help | tail -n 31
run --help | head -n 2
run -h ops | head -n 2
run help nonsense
run help --completion csh
