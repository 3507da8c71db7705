# Completions come from the options table: every option is in each of them.
cd "$TMP" || exit
for shell in bash zsh fish; do
  "$PICKLESIGHT" help --completion $shell >"completions.$shell" || exit
  for command in check needs facts ops targets show common; do
    "$PICKLESIGHT" help $command | sed -n 's/^  *\(-., \)\{0,1\}--\([a-z0-9-]*\) .*/\2/p' >options
    while read -r option; do
      grep -q -e "--$option" -e "-l $option" "completions.$shell" || echo "$shell: no $option"
    done <options
  done
done
if command -v bash >/dev/null; then bash -n completions.bash || echo bad; fi
if command -v zsh >/dev/null; then zsh -n completions.zsh || echo bad; fi
if command -v fish >/dev/null; then fish -n completions.fish || echo bad; fi
if command -v bash >/dev/null; then
  bash -c '
    source ./completions.bash
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _picklesight; echo "${COMPREPLY[@]}"; }
    try picklesight ""
    try picklesight fa
    try picklesight facts --f
    try picklesight ops --f
    try picklesight facts --format ""
    try picklesight facts --format j
    try picklesight help --c
    try picklesight check --against cpython-3.1
    try picklesight check -
    try picklesight show pypy
    try picklesight common cpython-3.11 cpython-2
    try picklesight help --completion z
    touch some_file; try picklesight facts some
  '
else
  sed 's/^/ /' /dev/null
fi
