// ggml's IQ1, IQ2 and IQ3: eight numbers at a time, or four, are a point of a grid that belongs to
// the type (core/formats/gguf/README.md#blocks). Each number is one of at most 16, so it can be
// told by a code of four bits, as those of IQ4_XS are.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tensor/codec/blocks/k_quant_blocks.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// What the codes of a type stand for: d * unit * scale * numbers[code].
struct GridNumbers {
  std::array<int8_t, 16> numbers;
  float unit;
};

// Nothing for a type without a grid.
[[nodiscard]] const GridNumbers* grid_numbers(DType dtype);

// `from` has block_of(dtype).bytes bytes. There are 16 scales, and no minima. All products of a
// value are exact in float.
void read_grid_block(DType dtype, const uint8_t* from, KQuantBlock& to);

// The points of the grid of a type, as many as an index can name, each as codes of its numbers
// without their signs: two bits for each of eight, or three for each of four, the first lowest.
[[nodiscard]] std::span<const uint16_t> grid_points(DType dtype);

}  // namespace ambry::tensor
