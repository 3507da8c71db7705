"$PICKLESIGHT" version
"$PICKLESIGHT" --version
"$PICKLESIGHT" facts --version /no/such/file
make -s version | sed 's/^/picklesight /'
