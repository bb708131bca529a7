#include "model/decoder/config/embedding_config.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;

constexpr std::string_view kEmbeddingPath = "config.embedding";
constexpr std::array<std::string_view, 5> kPoolingNames = {"mean", "cls", "max", "mean_sqrt_len",
                                                           "lasttoken"};
constexpr std::array<std::string_view, 7> kEmbeddingKeys = {
    "pooling",        "normalize", "max_seq_len", "prompts", "default_prompt_name",
    "include_prompt", "dense"};
constexpr std::array<std::string_view, 4> kDenseKeys = {"in_features", "out_features", "bias",
                                                        "activation"};
// More than any model has. Keeps a hostile list small.
constexpr size_t kMostDenseLayers = 16;

Result<void> check_known_keys(const Json& object, std::span<const std::string_view> known,
                              std::string_view path) {
  for (const auto& [key, value] : object.members()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    return metadata_error(object, key, ErrorCode::Unsupported, "this key is unknown", path);
  }
  return {};
}

Result<void> read_embedding_prompts(const Json& object, EmbeddingConfig& embedding) {
  const auto bad = [&](std::string_view key, ErrorCode code, const Text& message) {
    return metadata_error(object, key, code, message, kEmbeddingPath);
  };
  if (const Json* prompts = object.find("prompts"); prompts != nullptr && !prompts->is_null()) {
    if (!prompts->is_object()) {
      return bad("prompts", ErrorCode::BadValue, "expected an object of strings");
    }
    for (const auto& [name, prompt] : prompts->members()) {
      if (!prompt.is_string()) {
        return bad("prompts", ErrorCode::BadValue, {"the prompt \"", name, "\" is not a string"});
      }
      embedding.prompts.emplace_back(name, prompt.string());
    }
  }
  const std::string& name = embedding.default_prompt_name;
  if (name.empty() ||
      std::ranges::any_of(embedding.prompts, [&](const auto& row) { return row.first == name; })) {
    return {};
  }
  return bad("default_prompt_name", ErrorCode::NotFound, {"there is no prompt \"", name, "\""});
}

// `width` is what the layer before gives.
Result<DenseConfig> read_dense_layer(const Json& item, size_t i, uint32_t width) {
  const std::string path = concat({kEmbeddingPath, ".dense[", i, "]"});
  if (!item.is_object()) {
    return error_at(ErrorCode::BadValue, item.byte_offset(), path, "expected an object");
  }
  AMBRY_RETURN_IF_ERROR(check_known_keys(item, kDenseKeys, path));
  DenseConfig layer;
  layer.bias = false;
  std::string activation = "identity";
  AMBRY_RETURN_IF_ERROR(read_values(item,
                                    {{"in_features", layer.in_features},
                                     {"out_features", layer.out_features},
                                     {"bias", layer.bias},
                                     {"activation", activation}},
                                    path));
  if (layer.in_features != width) {
    return metadata_error(item, "in_features", ErrorCode::Mismatch,
                          {layer.in_features, ", but the layer takes ", width, " numbers"}, path);
  }
  if (layer.out_features == 0) {
    return metadata_error(item, "out_features", ErrorCode::BadValue, "must be at least 1", path);
  }
  const auto known = dense_activation_by_name(activation);
  if (!known) {
    return metadata_error(item, "activation", ErrorCode::Unsupported,
                          {"\"", activation, "\" is not supported"}, path);
  }
  layer.activation = *known;
  return layer;
}

Result<void> read_dense_layers(const Json& object, uint32_t width, EmbeddingConfig& embedding) {
  const Json* list = object.find("dense");
  if (list == nullptr || list->is_null()) return {};
  if (!list->is_array() || list->items().size() > kMostDenseLayers) {
    return metadata_error(object, "dense", ErrorCode::BadValue,
                          {"expected a list of at most ", kMostDenseLayers, " layers"},
                          kEmbeddingPath);
  }
  for (size_t i = 0; i < list->items().size(); ++i) {
    AMBRY_TRY(const DenseConfig layer, read_dense_layer(list->items()[i], i, width));
    width = layer.out_features;
    embedding.dense.push_back(layer);
  }
  return {};
}

}  // namespace

Result<std::optional<EmbeddingConfig>> embedding_config(const Json& config, uint32_t width) {
  std::optional<EmbeddingConfig> read;
  if (!has_value(config, "embedding")) return read;
  const Json& object = *config.find("embedding");
  if (!object.is_object()) {
    return error_at(ErrorCode::BadValue, object.byte_offset(), kEmbeddingPath,
                    "expected an object");
  }
  AMBRY_RETURN_IF_ERROR(check_known_keys(object, kEmbeddingKeys, kEmbeddingPath));
  EmbeddingConfig embedding;
  AMBRY_RETURN_IF_ERROR(read_values(object,
                                    {{"pooling", embedding.pooling},
                                     {"normalize", embedding.normalize},
                                     {"max_seq_len", embedding.max_seq_len},
                                     {"default_prompt_name", embedding.default_prompt_name},
                                     {"include_prompt", embedding.include_prompt}},
                                    kEmbeddingPath));
  if (std::ranges::find(kPoolingNames, embedding.pooling) == kPoolingNames.end()) {
    return metadata_error(object, "pooling", ErrorCode::Unsupported,
                          {"\"", embedding.pooling, "\" is not supported"}, kEmbeddingPath);
  }
  AMBRY_RETURN_IF_ERROR(read_embedding_prompts(object, embedding));
  AMBRY_RETURN_IF_ERROR(read_dense_layers(object, width, embedding));
  read = std::move(embedding);
  return read;
}

Json embedding_document(const EmbeddingConfig& embedding) {
  Json document = Json::object();
  document.set("pooling", std::string_view(embedding.pooling));
  document.set("normalize", embedding.normalize);
  if (embedding.max_seq_len > 0) document.set("max_seq_len", embedding.max_seq_len);
  if (!embedding.prompts.empty()) {
    Json& prompts = document.set("prompts", Json::object());
    for (const auto& [name, prompt] : embedding.prompts) {
      prompts.set(name, std::string_view(prompt));
    }
  }
  if (!embedding.default_prompt_name.empty()) {
    document.set("default_prompt_name", std::string_view(embedding.default_prompt_name));
  }
  if (!embedding.include_prompt) document.set("include_prompt", false);
  if (embedding.dense.empty()) return document;
  Json& dense = document.set("dense", Json::array());
  for (const DenseConfig& layer : embedding.dense) {
    Json& item = dense.append(Json::object());
    item.set("in_features", layer.in_features);
    item.set("out_features", layer.out_features);
    item.set("bias", layer.bias);
    item.set("activation", dense_activation_name(layer.activation));
  }
  return document;
}

}  // namespace ambry::model
