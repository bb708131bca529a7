// A second reader of ggml's blocks, written from core/formats/gguf/README.md#blocks: one number at
// a time, by the positions of its bits, in doubles. It shares no code with core/tensor/codec.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor::testing {

// The types that it reads.
std::vector<DType> reference_types();

// n blocks of random bits, with scales that are finite.
std::vector<uint8_t> random_blocks(DType dtype, size_t n, uint64_t seed);

// The first of `values` that is not the number in the blocks, rounded once.
std::optional<size_t> first_difference(DType dtype, Bytes blocks, std::span<const float> values);

}  // namespace ambry::tensor::testing
