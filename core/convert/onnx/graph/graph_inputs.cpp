#include "convert/onnx/graph/graph_inputs.h"

#include <algorithm>
#include <array>

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::ValueInfo;

namespace {

constexpr std::array<std::string_view, 4> kEncoderInputs = {"input_ids", "attention_mask",
                                                            "token_type_ids", "position_ids"};
constexpr std::array<std::string_view, 3> kDecoderInputs = {"input_ids", "attention_mask",
                                                            "position_ids"};

}  // namespace

const ValueInfo* picture_input(const OnnxFile& file) {
  constexpr size_t kRank = 4;
  const ValueInfo* only = nullptr;
  for (const ValueInfo& input : file.graph().inputs) {
    if (file.constant(input.name) != nullptr) continue;
    if (only != nullptr) return nullptr;
    only = &input;
  }
  const bool fits =
      only != nullptr && only->kind == ValueInfo::Kind::Tensor && only->n_dims == kRank;
  return fits ? only : nullptr;
}

bool takes_tokens(const OnnxFile& file) {
  return std::ranges::any_of(file.graph().inputs, [&](const ValueInfo& input) {
    const bool is_whole = input.type == DataType::Int64 || input.type == DataType::Int32;
    return is_whole && (!input.has_shape || input.n_dims == 2) &&
           file.constant(input.name) == nullptr;
  });
}

bool is_encoder_input(std::string_view name) {
  return std::ranges::find(kEncoderInputs, name) != kEncoderInputs.end();
}

bool is_decoder_input(std::string_view name) {
  return std::ranges::find(kDecoderInputs, name) != kDecoderInputs.end() ||
         name.starts_with("past_key_values.");
}

}  // namespace ambry::convert::onnx
