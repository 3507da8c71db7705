# What a payload asks of a target, whatever the target is.
p=corpus/payloads
for file in cp311_cloudpickle_3.1.2_imports cp311_cloudpickle_3.1.2_hooks cp313_dill_0.4.1_session \
  cp311_buffers_p5 cp313_persid_p5 cp313_ext_p5 py27_nonascii_str_p2; do
  "$PICKLESIGHT" needs $p/$file.pkl
  echo "exit $?"
done
"$PICKLESIGHT" needs --json $p/cp313_persid_p5.pkl | sed -n '/"results"/,/"findings"/p'
"$PICKLESIGHT" needs --against cpython-3.12 $p/cp313_persid_p5.pkl
echo "exit $?"
