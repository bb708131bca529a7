#include "formats/gguf/ranking.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/concat.h"
#include "formats/gguf/config.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/config/known_rerankers.h"
#include "model/decoder/config/reranker_config.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;
using model::RerankerConfig;

constexpr std::string_view kRankTemplateKey = "tokenizer.chat_template.rerank";

// The keys with the name of a model.
constexpr auto kNameKeys = {"general.name", "general.basename"};

const model::KnownReranker* named_by_metadata(const model::Model& model,
                                              std::string_view architecture) {
  const GgufArchitecture* known = find_gguf_architecture(architecture);
  if (known == nullptr) return nullptr;
  for (const char* key : kNameKeys) {
    const auto name = model::metadata_text(model.metadata, key).value_or("");
    if (const auto* found = model::find_known_reranker(name, known->other)) return found;
  }
  return nullptr;
}

// The number of the output with this label; `usual` where the file has no labels.
uint32_t output_of(const model::Model& model, std::string_view label, uint32_t usual) {
  const Json* labels = architecture_value(model, "classifier.output_labels");
  if (labels == nullptr || !labels->is_array()) return usual;
  for (uint32_t i = 0; i < labels->items().size(); ++i) {
    const Json& item = labels->items()[i];
    if (item.is_string() && item.string() == label) return i;
  }
  return usual;
}

// The score is the softmax over the two outputs, which is the sigmoid of their difference.
Json ranking_by_head(const model::Model& model) {
  RerankerConfig config;
  config.head = true;
  config.match = output_of(model, "yes", 0);
  config.mismatch = output_of(model, "no", 1);
  config.prompt = {
      std::string(model::metadata_text(model.metadata, kRankTemplateKey).value_or(""))};
  model::add_instruction_place(config);
  return model::reranker_document(config);
}

}  // namespace

bool is_rank_pooling(const Json& type) { return type.is_uint() && type.uint() == kRankPooling; }

Json ranking_of(const model::Model& model, std::string_view architecture) {
  const Json* type = architecture_value(model, "pooling_type");
  const std::string head = concat({kRankTensor, ".weight"});
  const bool has_head =
      std::ranges::find(model.tensors, head, &model::TensorEntry::name) != model.tensors.end();
  if (type != nullptr && is_rank_pooling(*type) && has_head) return ranking_by_head(model);
  const model::KnownReranker* known = named_by_metadata(model, architecture);
  return known == nullptr ? Json() : model::reranker_document(model::config_of(*known));
}

}  // namespace ambry::formats::gguf
