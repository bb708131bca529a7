// Quantization to ggml's blocks, for GGUF.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/quantization_options.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// Whether the tensor with GGUF's name is the output of a decoder.
[[nodiscard]] bool is_output(std::string_view name, bool tied);

// The block type with this name that floats can be stored as (tensor/codec/blocks/encode_blocks.h).
[[nodiscard]] std::optional<tensor::DType> encoded_block_type(std::string_view type);

// Unsupported for options that blocks leave no choice in: block_size, scale_type, and activations
// for q8_0.
[[nodiscard]] Result<void> check_block_options(const QuantizeOptions& options);

// Whether this is the convolution of a layer that keeps a state, by the name in GGUF or of Hugging
// Face. It is small, and its rows are shorter than any block.
[[nodiscard]] bool is_convolution(std::string_view name);

// Whether the tensor becomes blocks: a weight matrix that the options do not keep. As in ggml's own
// files, tables of positions and of token types, convolutions and the gates of experts stay.
[[nodiscard]] bool becomes_blocks(const model::TensorEntry& target, const QuantizeOptions& options);

// Sets how `output` is made from its one input, and the target's type. Some tensors of a file of
// q2_k, q3_k or q5_k have more bits (core/formats/gguf/README.md#quantized-files); `makes_logits`
// says that this one is the output. Where rows are no whole number of blocks it is q8_0, else f16,
// with a warning. Unsupported for inputs that cannot become floats.
[[nodiscard]] Result<void> store_as_blocks(const QuantizeOptions& options, bool makes_logits,
                                           Output& output, model::TensorEntry& target,
                                           std::vector<Error>& warnings);

// NotFound for a name in `keep` that the target does not have.
[[nodiscard]] Result<void> check_kept(const model::Model& target, const QuantizeOptions& options);

}  // namespace ambry::convert
