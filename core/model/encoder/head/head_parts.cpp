#include "model/encoder/head/head_parts.h"

#include "model/file/tensor_spec.h"

namespace ambry::model {

const TensorEntry* find_part(const Model& model, std::string_view part, std::string_view ending) {
  return part.empty() ? nullptr : model.find(concat({part, ending}));
}

Result<uint32_t> outputs_of(const Model& model, const TensorEntry& weight, uint32_t in) {
  const bool transposed = model.linear_layout == LinearLayout::InOut;
  const bool is_matrix = weight.shape.rank() == 2;
  const uint64_t out = is_matrix ? weight.shape[transposed ? 1 : 0] : 0;
  if (is_matrix && weight.shape[transposed ? 0 : 1] == in && out > 0 && out <= UINT32_MAX) {
    return static_cast<uint32_t>(out);
  }
  return error_at(ErrorCode::Mismatch, weight.index_offset, {path_of(model, weight), ".shape"},
                  {weight.name, " is ", to_string(weight.shape),
                   ", expected a matrix that takes the ", in, " numbers of the part before"});
}

Result<uint32_t> read_parts(const Model& model, const HeadLayout& layout, uint32_t hidden_size,
                            HeadConfig& head) {
  const auto has_bias = [&](std::string_view part) {
    return find_part(model, part, ".bias") != nullptr;
  };
  uint32_t width = hidden_size;
  if (const TensorEntry* dense = find_part(model, layout.dense, ".weight")) {
    AMBRY_TRY(head.dense_size, outputs_of(model, *dense, width));
    width = head.dense_size;
    head.dense_bias = has_bias(layout.dense);
  }
  head.norm = find_part(model, layout.norm, ".weight") != nullptr;
  head.norm_bias = has_bias(layout.norm);
  head.classifier_bias = has_bias(layout.classifier);
  return width;
}

}  // namespace ambry::model
