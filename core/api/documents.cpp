#include "api/documents.h"

#include <string_view>

#include "model/encoder_config.h"

namespace ambry::api {
namespace {

using io::Json;

Json config_document(const model::Model& model) {
  const auto config = model::encoder_config(model);
  if (!config) return {};
  Json document = Json::object();
  document.set("architecture", config->architecture);
  document.set("vocabSize", config->vocab_size);
  document.set("hiddenSize", config->hidden_size);
  document.set("numLayers", config->num_layers);
  document.set("numHeads", config->num_heads);
  document.set("intermediateSize", config->intermediate_size);
  document.set("maxPositions", config->max_positions);
  document.set("typeVocabSize", config->type_vocab_size);
  document.set("layerNormEps", config->layer_norm_eps);
  document.set("hiddenAct", config->hidden_act);
  document.set("pooling", config->pooling);
  document.set("normalize", config->normalize);
  document.set("maxSeqLength", config->max_seq_length);
  Json prompts = Json::object();
  for (const auto& [name, text] : config->prompts) prompts.set(name, text);
  document.set("prompts", std::move(prompts));
  document.set("defaultPrompt",
               config->default_prompt_name.empty() ? Json() : Json(config->default_prompt_name));
  return document;
}

Json tensor_document(const model::TensorEntry& tensor) {
  Json shape = Json::array();
  for (const uint64_t extent : tensor.shape.extents()) shape.append(extent);
  Json document = Json::object();
  document.set("name", tensor.name);
  document.set("dtype", tensor::dtype_name(tensor.dtype));
  document.set("shape", std::move(shape));
  document.set("offset", tensor.offset);
  document.set("bytes", tensor.bytes);
  return document;
}

}  // namespace

Json tokenizer_info(const model::TokenizerData& tokenizer) {
  Json special = Json::object();
  const auto add = [&](std::string_view role, const std::optional<uint32_t>& id) {
    if (id) special.set(role, *id);
  };
  add("pad", tokenizer.pad_id);
  add("unk", tokenizer.unk_id);
  add("cls", tokenizer.cls_id);
  add("sep", tokenizer.sep_id);
  add("mask", tokenizer.mask_id);
  Json document = Json::object();
  document.set("type", "wordpiece");
  document.set("size", uint64_t{tokenizer.vocabulary.size()});
  document.set("special", std::move(special));
  return document;
}

Json file_info(const model::Model& model) {
  Json tensors = Json::array();
  for (const model::TensorEntry& tensor : model.tensors) tensors.append(tensor_document(tensor));
  Json document = Json::object();
  document.set("format", model.format);
  document.set("version", model.version);
  document.set("bytes", model.file_bytes);
  document.set("metadata", model.metadata);
  document.set("config", config_document(model));
  document.set("tokenizer", model.tokenizer ? tokenizer_info(*model.tokenizer) : Json());
  document.set("tensors", std::move(tensors));
  return document;
}

Json problem(const Error& error) {
  Json document = Json::object();
  document.set("code", error_code_name(error.code));
  document.set("message", error.message);
  if (error.byte_offset != kNoOffset) document.set("byteOffset", error.byte_offset);
  if (!error.path.empty()) document.set("path", error.path);
  if (error.code == ErrorCode::NeedBytes) document.set("needSize", error.need_size);
  return document;
}

Json problems(const std::vector<Error>& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.append(problem(error));
  return list;
}

}  // namespace ambry::api
