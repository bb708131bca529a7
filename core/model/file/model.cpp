#include "model/file/model.h"

#include <array>

namespace ambry::model {

std::string_view tokenizer_kind_name(TokenizerKind kind) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "wordpiece", "bpe",   "sentencepiece_bpe", "sentencepiece_unigram", "unigram",
      "words",     "custom"};
  return kNames[static_cast<size_t>(kind)];
}

TokenizerData::TokenizerData() = default;
TokenizerData::TokenizerData(const TokenizerData&) = default;
TokenizerData::TokenizerData(TokenizerData&&) noexcept = default;
TokenizerData& TokenizerData::operator=(const TokenizerData&) = default;
TokenizerData& TokenizerData::operator=(TokenizerData&&) noexcept = default;
TokenizerData::~TokenizerData() = default;

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

std::string_view canonical_tensor_name(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kPrefixes = {
      "bert.",   "model.",   "0.auto_model.", "roberta.", "distilbert.",
      "albert.", "electra.", "mpnet.",        "deberta.", "new."};
  for (bool stripped = true; stripped;) {
    stripped = false;
    for (const std::string_view prefix : kPrefixes) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      stripped = true;
    }
  }
  return name;
}

const TensorEntry* Model::find(std::string_view canonical_name) const {
  for (const TensorEntry& tensor : tensors) {
    if (canonical_tensor_name(tensor.name) == canonical_name) return &tensor;
  }
  return nullptr;
}

}  // namespace ambry::model
