#!/usr/bin/env bash
# fuzz.sh [SECONDS] [TARGET...]: runs each fuzz target for a while (60 s), starting from its corpus. What
# it finds lies in build/fuzz/findings; put a minimised finding into tests/fuzz/corpus/<target>/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-60}
shift || true
cmake --preset fuzz --log-level=NOTICE
cmake --build --preset fuzz --target fuzz -- --quiet

build/fuzz/tests/fuzz_replay --seeds build/fuzz/corpus

targets=("$@")
((${#targets[@]})) || for program in build/fuzz/tests/*_fuzz; do targets+=("$(basename "$program" _fuzz)"); done
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  seeds=("$corpus")
  [[ ! -d tests/fuzz/corpus/$target ]] || seeds+=("tests/fuzz/corpus/$target")
  mkdir -p "$corpus" build/fuzz/findings
  echo "== $target, $seconds s"
  "build/fuzz/tests/${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="build/fuzz/findings/$target-" "${seeds[@]}"
done
