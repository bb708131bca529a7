#include "convert/quantize/block_importance.h"

#include <algorithm>

namespace ambry::convert {

using model::DecoderRole;
using model::DecoderTensor;

Result<void> weigh_by_activations(const model::DecoderActivations& activations,
                                  const model::DecoderConfig& facts, const DecoderTensor& use,
                                  const model::TensorEntry& target, Output& output) {
  if (use.bias || target.shape.rank() != 2 || use.role == DecoderRole::PositionEmbedding) return {};
  // Each expert has inputs of its own, and all of them are one tensor in GGUF.
  if (target.name.find("_exps.") != std::string::npos) return {};
  const bool embedding = use.role == DecoderRole::TokenEmbedding;
  if (embedding && !facts.tie_word_embeddings) return {};
  const std::span<const float> inputs =
      embedding ? activations.output : activations.input_of(use.role, use.layer);
  if (inputs.empty()) return {};
  if (inputs.size() != target.shape[1]) {
    return make_error(
        ErrorCode::Mismatch, "options.calibration",
        {"the model that was run has no input for ", target.name, " ", to_string(target.shape)});
  }
  output.importance.assign(inputs.begin(), inputs.end());
  return {};
}

std::vector<std::pair<size_t, DecoderTensor>> uses_in_gguf(const formats::gguf::Decoder& decoder) {
  std::vector<std::pair<size_t, DecoderTensor>> found;
  for (DecoderTensor& use : model::decoder_tensors(decoder.facts)) {
    const auto stored = std::ranges::find_if(decoder.tensors, [&](const auto& tensor) {
      return model::decoder_tensor_key(tensor.entry.name) ==
             model::decoder_tensor_key(use.spec.name);
    });
    if (stored != decoder.tensors.end()) found.emplace_back(stored->stored, std::move(use));
  }
  return found;
}

}  // namespace ambry::convert
