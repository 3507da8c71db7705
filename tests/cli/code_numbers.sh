# Numbers that no code constructor takes: CPython 3.11 raises OverflowError for what is no C int, ValueError
# for a negative count and SystemError for a negative stack size or flags, all while it loads. A negative
# line is taken.
code() { # argcount, nlocals, stacksize, flags, line
  {
    printf '\200\002ctypes\nCodeType\n(L%sL\nK\000K\000L%sL\nL%sL\nL%sL\n' "$1" "$2" "$3" "$4"
    printf 'C\004\227\000S\000(Nt))X\001\000\000\000fX\001\000\000\000gX\001\000\000\000gL%sL\nC\000C\000))tR.' "$5"
  } | "$PICKLESIGHT" check --against cpython-3.11 -
  echo "exit $?"
}
code 0 0 1 3 5
code 0 0 1 3 2147483648
code 0 0 1 3 -5
code -1 0 1 3 5
code 0 -1 1 3 5
code 0 0 -1 3 5
code 0 0 1 -1 5
code 2147483648 0 1 3 5
code 0 0 1 3 1152921504606846976
