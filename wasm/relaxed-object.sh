#!/usr/bin/env bash
# relaxed-object.sh DIS AS OPTION... -- COMMAND...: runs COMMAND, which compiles one file, for the relaxed flavour.
#
# Three of four files see nothing of core/simd. The object that the flavour baseline has of them is the same, but for the name
# of the relaxed instructions in the list of each function. So COMMAND has the options of baseline, and ccache has its
# object. This adds the name, with LLVM's disassembler and assembler, in an eighth of a second instead of two seconds.
# A file that sees core/simd is compiled again, with the OPTIONs and the headers that were precompiled with them.
set -euo pipefail

dis=$1 as=$2 options=()
shift 2
while [[ $1 != -- ]]; do
  options+=("$1")
  shift
done
shift

"$@"
words=("$@") object='' headers=''
for i in "${!words[@]}"; do
  case ${words[i]} in
    -o) object=${words[i + 1]} ;;
    -MF) headers=${words[i + 1]} ;; # the list of the headers that the compiler saw
  esac
done
# CMake also compiles files to learn about the compiler.
[[ -n $object && -f $headers ]] || exit 0
if grep -q 'core/simd/' "$headers"; then
  exec "${@/%.pch/-relaxed.pch}" "${options[@]}"
fi
# The names are in alphabetical order, as the compiler writes them: where two functions' lists differ as text, neither is
# inlined into the other.
"$dis" "$object" -o - |
  sed -E 's/("target-features"="(\+([a-q]|ref)[^",]*,)*)/\1+relaxed-simd,/' |
  "$as" -o "$object"
