# What check must say of real payloads: the verdict, the reason, what would help.
p=corpus/payloads
run() { echo "== $*" | sed "s|$p/||"; "$PICKLESIGHT" check "$@"; echo "exit $?"; }
task=$p/cp311_cloudpickle_3.1.2_lambda_task.pkl
run --against cpython-3.11 --with cloudpickle==3.1.2 $task
run --against cpython-3.12 --with cloudpickle==3.1.2 $task
run --against cpython-3.10 --with cloudpickle==3.1.2 $task
run --against cpython-3.11 $task
run --against cpython-3.11 --bare $task
run --against cpython-3.11 --with CloudPickle==2.0.0 $task
# names of the standard library
run --against cpython-3.12 $p/cp313_pathlib_local_p5.pkl
run --against cpython-3.13 $p/cp313_pathlib_local_p5.pkl
run --against cpython-3.14 $p/cp314_pathlib_local_p5.pkl
run --against cpython-3.12 $p/cp312_orders_p5.pkl
# protocol 5 where 4 is the highest: a failure, not a broken payload
run --against cpython-3.7 $p/cp312_orders_p5.pkl
run --against cpython-2.7 $p/cp37_orders_p4.pkl
# loading calls a method that the payload carries: its bytecode matters then
run --against cpython-3.11 --with cloudpickle==3.1.2 $p/cp311_cloudpickle_3.1.2_setstate.pkl
run --against cpython-3.12 --with cloudpickle==3.1.2 $p/cp311_cloudpickle_3.1.2_setstate.pkl
# what the loader must be given
run --against cpython-3.12 $p/cp311_buffers_p5.pkl
run --against cpython-3.12 --buffers none $p/cp311_buffers_p5.pkl
run --against cpython-3.12 --buffers 1 $p/cp311_buffers_p5.pkl
run --against cpython-3.12 --buffers 2 $p/cp311_buffers_p5.pkl
run --against cpython-3.12 $p/cp313_persid_p5.pkl
run --against cpython-3.12 --persistent-load $p/cp313_persid_p5.pkl
run --against cpython-3.12 --no-persistent-load $p/cp313_persid_p5.pkl
run --against cpython-3.12 --loader torch --no-persistent-load $p/cp313_persid_p5.pkl
run --against cpython-3.12 --loader torch $p/cp313_persid_p5.pkl
run --against cpython-3.12 $p/py27_nonascii_str_p2.pkl
run --against cpython-3.12 --encoding latin1 $p/py27_nonascii_str_p2.pkl
run --against cpython-3.12 --encoding UTF-8 $p/py27_nonascii_str_p2.pkl
run --against cpython-3.12 --encoding ASCII --errors replace $p/py27_nonascii_str_p2.pkl
run --against cpython-2.7 $p/py27_nonascii_str_p2.pkl
run --against cpython-3.13 --with dill==0.4.1 $p/cp313_dill_0.4.1_session.pkl
run --against cpython-3.13 --with dill==0.4.1 --loader dill $p/cp313_dill_0.4.1_session.pkl
run --against cpython-3.13 $p/cp313_ext_p5.pkl
