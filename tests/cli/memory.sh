# Five million integers and 200 MB of bytes through a pipe take less than 8 MB.
grep -q __asan_init "$PICKLESIGHT" && { echo 'a sanitizer takes more memory'; exit 77; }
[ -r /proc/self/status ] || { echo 'no /proc'; exit 77; }
cd "$TMP" || exit
mkfifo pipe
measure() {
  "$PICKLESIGHT" facts - <pipe >out &
  pid=$!
  exec 3>pipe
  "$1" >&3
  sleep 0.2
  kb=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status")
  printf '.' >&3
  exec 3>&-
  wait $pid
  echo "exit $?"
  cat out
  if [ "$kb" -lt 8192 ]; then echo 'under 8 MB'; else echo "$kb kB"; fi
}
# as CPython writes a list: a thousand items at a time
integers() {
  printf '\200\004]\224'
  (printf '('; yes 'K' | tr '\n' '\001' | head -c 2000; printf 'e') >part
  for _ in 1 2 3 4 5 6 7 8 9 10; do cat part part part part part part part part part part; done >whole
  for _ in 1 2 3 4 5; do cat whole whole whole whole whole whole whole whole whole whole; done
}
bytes() { printf 'B\000\302\353\013'; head -c 200000000 /dev/zero; }
measure integers
measure bytes
