#!/usr/bin/env bash
# precompile.sh FILE HEADER COMMAND... [-- OPTION...]: lets COMMAND, clang with its options, read HEADER into FILE.
# With OPTIONs it does so again, with them, into FILE's neighbour for wasm/relaxed-object.sh. FILE.d says what was read.
#
# FILE contains the paths of this clone. So that ccache finds what another clone has compiled, it takes the text of the
# headers in place of FILE: its checksum is in FILE.sum.
set -euo pipefail

file=$1 header=$2
shift 2
mkdir -p "$(dirname "$file")"

precompile() {
  local target=$1
  shift
  "$@" -x c++-header "$header" -o "$target.new" -MD -MT "$file" -MF "$file.d"
  "$@" -E -P -dD -x c++-header "$header" | sha256sum >"$target.sum"
  mv "$target.new" "$target"
}

command=()
while (($# > 0)) && [[ $1 != -- ]]; do
  command+=("$1")
  shift
done
if (($# > 0)); then
  shift
  precompile "${file%.pch}-relaxed.pch" "${command[@]}" "$@"
fi
precompile "$file" "${command[@]}"
