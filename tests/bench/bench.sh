#!/usr/bin/env bash
# bench.sh [OPTION...]: builds the benchmarks without asserts and runs each; the options go to them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --preset release --log-level=NOTICE
cmake --build --preset release --target bench -- --quiet
for program in build/release/tests/*_bench; do
  "$program" "$@"
done
# In the WebAssembly that is shipped, some of it beside onnxruntime-web: that is no dependency of the repository, for
# it is 139 MB.
node wasm/build.mjs
node web/build.mjs
npm install --prefix build/peers --no-audit --no-fund --silent onnxruntime-web@1.30.0
onnxruntime=build/peers/node_modules/onnxruntime-web
node tests/bench/encoder/encoder-bench.mjs "$onnxruntime" --json build/encoder-node.json
node tests/bench/encoder/encoder-bench.mjs "$onnxruntime" --chromium --json build/encoder-chromium.json
node tests/bench/static/static-bench.mjs
node tests/bench/reranker/rank-bench.mjs "$onnxruntime"
node tests/bench/reranker/rank-bench.mjs "$onnxruntime" --chromium
node tests/bench/tokenizer/tokenizer-bench.mjs
tests/bench/decoder/decoder-bench.sh
node tests/bench/decoder/generate-bench.mjs
node tests/bench/decoder/session-bench.mjs
node tests/bench/decoder/batch-bench.mjs
node tests/bench/decoder/wllama-bench.mjs --json build/wllama.json
node tests/bench/decoder/gguf-bench.mjs --json build/gguf.json
node tests/bench/files/validate-bench.mjs
node tests/bench/files/quantize-bench.mjs
node tests/bench/words/words-bench.mjs
node tests/bench/text-classifier/predict-bench.mjs
node tests/bench/search/index-bench.mjs
node tests/bench/search/first-search-bench.mjs
node tests/bench/search/indexing-bench.mjs
node tests/bench/passages/documents-bench.ts
node tests/bench/passages/caller-thread-bench.ts
node tests/bench/site-search/site-search-bench.ts
node tests/bench/cnn/resnet-bench.mjs "$onnxruntime"
node tests/bench/encoder/pool-bench.mjs
node tests/bench/serve/serve-bench.mjs
node tests/bench/encoder/pool-memory.mjs
node tests/bench/cold-start.mjs
node tests/bench/engine/next-features-bench.mjs
node tests/bench/engine/next-features-bench.mjs --chromium --wasm-fp16 --wasm-wide-arithmetic
node tests/bench/pages/first-visit-bench.ts
node tests/bench/guard.mjs build/encoder-node.json build/encoder-chromium.json build/wllama.json build/gguf.json
