#!/bin/sh
# The main job on two real payloads of corpus/: a task that cloudpickle 3.1.2 wrote on CPython 3.11, and data
# that CPython 3.12 wrote. `make quickstart` builds the tool and runs this.
set -u
cd "$(dirname "$0")/../.." || exit 2
PICKLESIGHT=${PICKLESIGHT:-build/picklesight}
task=corpus/payloads/cp311_cloudpickle_3.1.2_lambda_task.pkl
data=corpus/payloads/cp312_orders_p5.pkl

# run EXPECTED-STATUS ARGUMENT...
run() {
  wanted=$1
  shift
  echo "\$ picklesight $*"
  "$PICKLESIGHT" "$@"
  status=$?
  echo "(exit status $status)"
  [ $status -eq "$wanted" ] || exit 1
}

run 0 check --against cpython-3.11 --with cloudpickle==3.1.2 $task
run 1 check --against cpython-3.12 --with cloudpickle==3.1.2 $task
run 0 check --against cpython-3.12 $data
