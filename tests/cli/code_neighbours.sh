# Code of one Python that reads as another's, and what it did there: PyPy 3.9's `lambda a: [*a, 2]` is a SystemError under
# CPython 3.9, whose numbers 164 and 165 merge dicts. 3.11's try: x = -a; finally: return x, written without debug ranges,
# is an UnboundLocalError there when a has no minus, and crashes 3.12, which reads x without asking.
for case in pypy39_list_of_star:cpython-3.9 pypy39_list_of_star:pypy-3.9 pypy39_set_of_star:cpython-3.9 \
  cp39_unpacking:cpython-3.9 cp311_finally_no_ranges:cpython-3.11 cp311_finally_no_ranges:cpython-3.12; do
  "$PICKLESIGHT" check --against "${case#*:}" --with cloudpickle==3.1.2 "corpus/code_neighbours/${case%:*}.pkl"
  echo "exit $?"
done
