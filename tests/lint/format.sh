#!/usr/bin/env bash
# Checks that every C++, TypeScript, JSON and CSS file is formatted; with --write, formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cpp_files() { find core wasm tests \( -name '*.h' -o -name '*.cpp' \) -not -path '*/toolchain/*' -print0; }

if [[ ${1:-} == --write ]]; then
  cpp_files | xargs -0 clang-format-19 -i
  exec node_modules/.bin/biome check --write .
fi
cpp_files | xargs -0 clang-format-19 --dry-run --Werror
