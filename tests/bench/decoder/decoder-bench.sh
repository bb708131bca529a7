#!/usr/bin/env bash
# decoder-bench.sh [TYPE]: decoder_bench.cpp in WebAssembly, in both flavours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source .toolchain/env.sh
mkdir -p build/bench
for flavour in "" "-mrelaxed-simd -DAMBRY_SIMD_RELAXED=1"; do
  # shellcheck disable=SC2086 # the flavour is several words
  em++ -std=c++20 -O2 -DNDEBUG -msimd128 -mbulk-memory -mnontrapping-fptoint $flavour \
    -ffp-contract=off -fno-exceptions -fno-rtti -Icore \
    tests/bench/decoder/decoder_bench.cpp core/kernels/instantiations.cpp \
    core/kernels/gemm/*.cpp core/kernels/quantize/int8_activations.cpp \
    core/base/*.cpp core/tensor/{,codec/}*.cpp core/io/diagnostics.cpp \
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sENVIRONMENT=node -o build/bench/decoder.cjs
  node build/bench/decoder.cjs "$@"
done
