#include "formats/gguf/embedding_facts.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "formats/gguf/config.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/names/tensor_names.h"
#include "formats/gguf/ranking.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

// The two dense layers after the pooling, by the shapes of their weights.
void add_dense_layers(const model::Model& model, Json& embedding) {
  Json layers = Json::array();
  for (const std::string_view name : kDenseTensors) {
    const auto found =
        std::ranges::find(model.tensors, concat({name, ".weight"}), &model::TensorEntry::name);
    if (found == model.tensors.end() || found->shape.rank() != 2) return;
    Json& layer = layers.append(Json::object());
    layer.set("in_features", found->shape[1]);
    layer.set("out_features", found->shape[0]);
    layer.set("activation", "identity");
  }
  embedding.set("dense", std::move(layers));
}

// Poolings of rerankers that say no more, and unknown ones, are refused where the name is read.
std::string pooling_name(const Json& type) {
  if (is_rank_pooling(type)) return "rank without the tensor cls.output.weight";
  const uint64_t number = type.uint();
  if (number >= kPoolingTypes.size()) return concat({"type ", number});
  return std::string(kPoolingTypes[static_cast<size_t>(number)]);
}

}  // namespace

void add_embedding(const model::Model& model, std::string_view architecture, Json& config) {
  const Json* causal = architecture_value(model, "attention.causal");
  const bool states_it = causal != nullptr && causal->is_bool();
  if (states_it ? !causal->boolean() : architecture == kGemmaEmbedding) {
    config.set("bidirectional_attention", true);
  }
  const Json* type = architecture_value(model, "pooling_type");
  const bool none = type == nullptr || (type->is_uint() && type->uint() == 0);
  Json ranking = none || is_rank_pooling(*type) ? ranking_of(model, architecture) : Json();
  if (!ranking.is_null()) config.set("reranker", std::move(ranking));
  if (none || config.find("reranker") != nullptr) return;
  Json embedding = Json::object();
  if (!type->is_uint()) {
    embedding.set("pooling", *type);  // refused where it is read
  } else {
    embedding.set("pooling", pooling_name(*type));
  }
  if (architecture == kGemmaEmbedding) add_dense_layers(model, embedding);
  config.set("embedding", std::move(embedding));
}

}  // namespace ambry::formats::gguf
