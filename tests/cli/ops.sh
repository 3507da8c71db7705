# One line an opcode; arguments escaped and shortened; an error last.
cd "$TMP" || exit
printf 'I42\nF0.1\nL99999999999999999999L\nS"a\\n"\nVb\\u00e9\ncos\nsystem\nPid\ng0\n' >lines
printf '\200\005G\077\271\231\231\231\231\231\232G\177\360\000\000\000\000\000\000G\177\370\000\000\000\000\000\000' >binary
printf 'J\376\377\377\377M\377\377\212\011\001\002\003\004\005\006\007\010\011\212\001\377\212\010\377\377\377\377\377\377\377\177X\005\000\000\000h"\303\251~' >>binary
printf 'C\003\000a"\202\007\203\001\000\226\001\000\000\000\000\000\000\000x.' >>binary
(printf '\200\004\214\144'; printf '%0100d' 0; printf 'C\144'; printf '%0100d' 0; printf 'C\004\000a"\\0'; printf '00.') >long
printf '\200\004\225\011\000\000\000\000\000\000\000K\001K\002' >cut_frame
for file in lines binary long cut_frame; do
  "$PICKLESIGHT" ops "$file"
  echo "exit $?"
  "$PICKLESIGHT" ops --format jsonl "$file" 2>/dev/null
done
"$PICKLESIGHT" ops --json long 2>/dev/null
(printf 'X\000\000\001\000'; head -c 65536 /dev/zero | tr '\000' x; printf .) >big
"$PICKLESIGHT" ops big
"$PICKLESIGHT" ops - <big
"$PICKLESIGHT" ops --format jsonl big | cut -c 1-60
"$PICKLESIGHT" ops --format jsonl big | grep -o '"length".*'
