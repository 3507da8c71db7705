# The version is the header's.
awk '/define PKS_VERSION_(MAJOR|MINOR|PATCH)/ { v = v (v == "" ? "" : ".") $3 } END { print "picklesight " v }' \
  include/picklesight.h >"$TMP/want"
"$PICKLESIGHT" version | cmp - "$TMP/want" && echo version
"$PICKLESIGHT" --version | cmp - "$TMP/want" && echo --version
"$PICKLESIGHT" facts --version /no/such/file | cmp - "$TMP/want" && echo facts --version
