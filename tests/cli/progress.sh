# The progress line is for terminals only; --progress always shows it anyway, and takes it away.
cd "$TMP" || exit
printf 'N.' >p
"$PICKLESIGHT" facts p
"$PICKLESIGHT" facts --progress auto p
"$PICKLESIGHT" facts --progress never p
"$PICKLESIGHT" facts --progress always p none 2>err
tr '\r\033' '~^' <err
