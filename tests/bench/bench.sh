#!/usr/bin/env bash
# bench.sh [OPTION...]: builds the benchmarks without asserts and runs each; the options go to them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --preset release --log-level=NOTICE
cmake --build --preset release --target bench -- --quiet
for program in build/release/tests/*_bench; do
  "$program" "$@"
done
# In the WebAssembly that is shipped.
node wasm/build.mjs
tests/bench/decoder-bench.sh
node tests/bench/validate-bench.mjs
node tests/bench/quantize-bench.mjs
node tests/bench/words-bench.mjs
node tests/bench/index-bench.mjs
node tests/bench/resnet-bench.mjs
node web/build.mjs
node tests/bench/pool-bench.mjs
