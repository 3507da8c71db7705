# Uses of a class or a helper that depend on more than its name. What each should be was seen on interpreters.
ask() {
  bytes=$1
  shift
  # shellcheck disable=SC2059 # the payload is written as escapes
  printf "$bytes" | "$PICKLESIGHT" check "$@" - | sed '1d'
}
echo "a member of an enumeration"
ask 'chttp\nHTTPStatus\n(I418\ntR.' --against cpython-3.8 --against cpython-3.9
ask 'chttp\nHTTPStatus\n(I200\ntR.' --against cpython-3.6
echo "how many arguments"
ask '\200\003cplatform\nuname_result\n(X\001\0\0\0aX\001\0\0\0bX\001\0\0\0cX\001\0\0\0dX\001\0\0\0eX\001\0\0\0ftR.' \
  --against cpython-3.8 --against cpython-3.9
echo "old-style classes"
ask '\200\002cUserDict\nIterableUserDict\n)\201.' --against cpython-2.7 --against cpython-3.8
ask 'ccopy_reg\n_reconstructor\n(ctextwrap\nTextWrapper\nc__builtin__\nobject\nNtR.' --against cpython-2.7 --against cpython-3.8
echo "a union of types"
ask '\200\003c_operator\nor_\ncbuiltins\nint\ncbuiltins\nstr\n\206R.' --against cpython-3.9 --against cpython-3.10
ask '\200\003cfunctools\nreduce\nc_operator\nor_\ncbuiltins\nint\ncbuiltins\nstr\n\206\206R.' --against cpython-3.9 --against cpython-3.10
echo "slots"
ask '\200\003cdataclasses\nField\n)\201N}X\007\0\0\0kw_only\210s\206b.' --against cpython-3.9 --against cpython-3.10
ask '\200\003czipfile\nZipInfo\n)\201N}X\013\0\0\0_end_offset\210s\206b.' --against cpython-3.11 --against cpython-3.13
echo "getattr with a default asks for nothing"
ask '\200\003cbuiltins\ngetattr\n(cbuiltins\nstr\nX\007\0\0\0no_suchNtR.' --against cpython-3.8
ask '\200\003cbuiltins\ngetattr\ncbuiltins\nstr\nX\007\0\0\0no_such\206R.' --against cpython-3.8
ask '\200\003cbuiltins\ngetattr\ncbuiltins\nstr\nX\014\0\0\0removeprefix\206R.' --against cpython-3.8 --against cpython-3.9
echo "dill's table of types"
ask '\200\003cdill._dill\n_load_type\nX\010\0\0\0NoneType\205R.' --against cpython-3.9 --with dill==0.4.0 --against cpython-3.10 --with dill==0.4.0
ask '\200\002cdill._dill\n_load_type\nX\003\0\0\0int\205R.' --against cpython-2.7 --with dill==0.3.4 --against cpython-3.9 --with dill==0.4.0
echo "what dill takes from a module"
ask '\200\003cdill._dill\n_get_attr\ncdill._dill\n_import_module\nX\004\0\0\0math\205RX\004\0\0\0cbrt\206R.' \
  --against cpython-3.10 --with dill==0.4.0 --against cpython-3.11 --with dill==0.4.0
