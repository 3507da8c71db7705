run() { echo "== $*"; "$PICKLESIGHT" "$@"; echo "exit $?"; }
run help
run help ops
run help check | head -n 4
run help version
for command in check needs facts ops targets show common help version; do
  "$PICKLESIGHT" help $command | grep -n "[?]\.$\| $"
done
run facts --help | tail -n 32
run --help | head -n 2
run -h ops | head -n 2
run help nonsense
run help --completion csh
