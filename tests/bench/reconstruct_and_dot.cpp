// What scoring quantized rows costs without tables: every row is reconstructed, then multiplied
// with the query. Compiled to WebAssembly by words-bench.mjs, as the modules are.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kCentroids = 256;

}  // namespace

extern "C" {

// `n_slices` codes a row, each of which chooses one of 256 pairs of its slice; `row` has room for a
// row of 2 x n_slices numbers, a multiple of 4. The result is the best score.
// NOLINTNEXTLINE(readability-identifier-naming): seen from JavaScript
float reconstructAndDot(const uint8_t* codes, size_t n_rows, size_t n_slices, const int64_t* pairs,
                        const float* query, int64_t* row) {
  float best = -1e30F;
  for (size_t r = 0; r < n_rows; ++r, codes += n_slices) {
    for (size_t i = 0; i < n_slices; ++i) row[i] = pairs[i * kCentroids + codes[i]];
    const auto* numbers = reinterpret_cast<const float*>(row);
    v128_t even = wasm_f32x4_const_splat(0);
    v128_t odd = wasm_f32x4_const_splat(0);
    size_t i = 0;
    for (; i + 8 <= 2 * n_slices; i += 8) {
      even = wasm_f32x4_add(even,
                            wasm_f32x4_mul(wasm_v128_load(numbers + i), wasm_v128_load(query + i)));
      odd = wasm_f32x4_add(
          odd, wasm_f32x4_mul(wasm_v128_load(numbers + i + 4), wasm_v128_load(query + i + 4)));
    }
    for (; i < 2 * n_slices; i += 4) {
      even = wasm_f32x4_add(even,
                            wasm_f32x4_mul(wasm_v128_load(numbers + i), wasm_v128_load(query + i)));
    }
    const v128_t sum = wasm_f32x4_add(even, odd);
    const float score = wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1) +
                        wasm_f32x4_extract_lane(sum, 2) + wasm_f32x4_extract_lane(sum, 3);
    if (score > best) best = score;
  }
  return best;
}

}  // extern "C"
