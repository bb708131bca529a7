#include "api/call/documents.h"

#include <string_view>
#include <utility>

#include "api/call/large_integers.h"

namespace ambry::api {
namespace {

using io::Json;

struct Fact {
  const char* key;
  Piece value;
};

// Sets integers and texts in one call: making a Json at each place would be much code.
void set_facts(Json& document, std::initializer_list<Fact> facts) {
  for (const auto& [key, value] : facts) {
    document.set(key, value.is_number() ? Json(value.number()) : Json(value.text()));
  }
}

Json prompts_document(const model::Prompts& prompts) {
  Json document = Json::object();
  for (const auto& [name, text] : prompts) document.set(name, text);
  return document;
}

Json label_list(const model::HeadConfig& head) {
  Json labels = Json::array();
  for (const std::string& label : head.labels) labels.append(label);
  return labels;
}

Json head_document(const model::HeadConfig& head) {
  Json document = Json::object();
  document.set("labels", label_list(head));
  document.set("problemType", head.problem_type == model::ProblemType::NotStated
                                  ? Json()
                                  : Json(model::problem_type_name(head.problem_type)));
  set_facts(document, {{"scoreActivation", model::dense_activation_name(head.score_activation)}});
  return document;
}

const char* token_head_kind(model::HeadTask task) {
  switch (task) {
    case model::HeadTask::QuestionAnswering:
      return "questionAnswering";
    case model::HeadTask::FillMask:
      return "fillMask";
    case model::HeadTask::Sparse:
      return "sparseEncoder";
    default:
      return "tokenClassifier";
  }
}

// What the model opens as, and its labels.
Json token_head_document(const model::HeadConfig& head) {
  Json document = Json::object();
  set_facts(document, {{"kind", token_head_kind(head.task)}});
  document.set("labels", label_list(head));
  if (head.task == model::HeadTask::Sparse) {
    document.set("fixedQueries", head.sparse.n_query_weights > 0);
  }
  return document;
}

Json late_document(const model::LateInteraction& late) {
  Json document = Json::object();
  set_facts(document,
            {{"queryLength", late.query_length}, {"documentLength", late.document_length}});
  document.set("queryMarker", late.query_marker ? Json(*late.query_marker) : Json());
  document.set("documentMarker", late.document_marker ? Json(*late.document_marker) : Json());
  document.set("expansion", late.expansion ? Json(*late.expansion) : Json());
  document.set("attendToExpansion", late.attend_to_expansion);
  set_facts(document, {{"skippedTokens", late.skipped.size()}});
  return document;
}

Json config_document(const model::Model& model) {
  if (!model.config.is_null()) return model.config;
  if (model::is_static(model)) {
    const auto config = model::static_config(model);
    return config ? static_config_document(*config) : Json();
  }
  const auto config = model::encoder_config(model);
  return config ? encoder_config_document(*config) : Json();
}

Json tensor_document(const model::TensorEntry& tensor) {
  Json shape = Json::array();
  for (const uint64_t extent : tensor.shape.extents()) shape.append(extent);
  Json document = Json::object();
  set_facts(document, {{"name", tensor.name}, {"dtype", tensor::dtype_name(tensor.dtype)}});
  document.set("shape", std::move(shape));
  set_facts(document, {{"offset", tensor.offset}, {"bytes", tensor.bytes}});
  return document;
}

}  // namespace

Json encoder_config_document(const model::EncoderConfig& config) {
  Json document = Json::object();
  set_facts(document, {{"architecture", config.architecture->name},
                       {"vocabSize", config.vocab_size},
                       {"hiddenSize", config.hidden_size},
                       {"embeddingDim", config.embedding_size()},
                       {"numLayers", config.num_layers},
                       {"numHeads", config.num_heads},
                       {"intermediateSize", config.intermediate_size},
                       {"maxPositions", config.max_positions},
                       {"typeVocabSize", config.type_vocab_size}});
  document.set("layerNormEps", config.layer_norm_eps);
  set_facts(document, {{"hiddenAct", config.hidden_act}, {"pooling", config.pooling}});
  const model::LateInteraction* late = config.late_interaction();
  const bool of_tokens = late != nullptr && late->with_sentences;
  if (!config.dense.empty() && !of_tokens) document.set("dense", dense_documents(config.dense));
  if (const model::HeadConfig* head = config.text_head()) {
    document.set("classificationHead", head_document(*head));
  }
  if (const model::HeadConfig* head = config.token_head()) {
    document.set("tokenHead", token_head_document(*head));
  }
  if (config.has_tokens_only()) document.set("lateInteraction", late_document(*late));
  if (config.gives_all()) document.set("allOutputs", true);
  document.set("normalize", config.normalize);
  set_facts(document, {{"maxSeqLength", config.max_seq_length}});
  document.set("prompts", prompts_document(config.prompts));
  document.set("defaultPrompt",
               config.default_prompt_name.empty() ? Json() : Json(config.default_prompt_name));
  return document;
}

Json static_config_document(const model::StaticConfig& config) {
  Json document = Json::object();
  set_facts(document, {{"architecture", model::kStaticArchitecture},
                       {"vocabSize", config.vocab_size},
                       {"rows", config.n_rows},
                       {"hiddenSize", config.embedding_dim},
                       {"embeddingDim", config.embedding_dim},
                       {"pooling", "mean"}});
  document.set("normalize", config.normalize);
  document.set("dropUnknown", config.drop_unknown);
  if (config.max_seq_length != 0) document.set("maxSeqLength", config.max_seq_length);
  document.set("prompts", prompts_document(config.prompts));
  document.set("defaultPrompt",
               config.default_prompt_name.empty() ? Json() : Json(config.default_prompt_name));
  return document;
}

Json dense_documents(const std::vector<model::DenseConfig>& layers) {
  Json list = Json::array();
  for (const model::DenseConfig& layer : layers) {
    Json& row = list.append(Json::object());
    set_facts(row, {{"inFeatures", layer.in_features},
                    {"outFeatures", layer.out_features},
                    {"activation", model::dense_activation_name(layer.activation)}});
    row.set("bias", layer.bias);
  }
  return list;
}

Json tokenizer_info(const model::TokenizerData& tokenizer) {
  Json special = Json::object();
  using Id = std::optional<uint32_t> model::TokenizerData::*;
  static constexpr std::pair<const char*, Id> kRoles[] = {
      {"bos", &model::TokenizerData::bos_id},  {"eos", &model::TokenizerData::eos_id},
      {"pad", &model::TokenizerData::pad_id},  {"unk", &model::TokenizerData::unk_id},
      {"cls", &model::TokenizerData::cls_id},  {"sep", &model::TokenizerData::sep_id},
      {"mask", &model::TokenizerData::mask_id}};
  for (const auto& [role, id] : kRoles) {
    if (tokenizer.*id) special.set(role, *(tokenizer.*id));
  }
  Json document = Json::object();
  set_facts(document, {{"type", model::tokenizer_kind_name(tokenizer.kind)},
                       {"size", tokenizer.token_count()}});
  document.set("special", std::move(special));
  if (tokenizer.kind == model::TokenizerKind::WordPiece) {
    document.set("lowercase", tokenizer.lowercase);
  }
  return document;
}

Json word_vocabulary_info(const model::WordVocabulary& words) {
  Json document = Json::object();
  set_facts(document, {{"type", word_vocabulary_kind_name(words.kind)}, {"size", words.n_words}});
  document.set("special", Json::object());
  return document;
}

Json tensor_documents(const std::vector<model::TensorEntry>& tensors) {
  Json list = Json::array();
  for (const model::TensorEntry& tensor : tensors) list.append(tensor_document(tensor));
  return list;
}

Json file_info(const model::Model& model) { return file_info(model, config_document(model)); }

Json file_info(const model::Model& model, Json config) {
  Json document = Json::object();
  set_facts(document,
            {{"format", model.format}, {"version", model.version}, {"bytes", model.file_bytes}});
  document.set("metadata", model.metadata);
  Json large = large_integers(model.metadata);
  if (!large.items().empty()) document.set("largeIntegers", std::move(large));
  document.set("config", std::move(config));
  document.set("tokenizer", model.tokenizer ? tokenizer_info(*model.tokenizer)
                            : model.words   ? word_vocabulary_info(*model.words)
                                            : Json());
  document.set("tensors", tensor_documents(model.tensors));
  return document;
}

Json problem(const Error& error) {
  Json document = Json::object();
  set_facts(document, {{"code", error_code_name(error.code)}, {"message", error.message}});
  if (error.byte_offset != kNoOffset) set_facts(document, {{"byteOffset", error.byte_offset}});
  if (!error.path.empty()) set_facts(document, {{"path", error.path}});
  if (error.code == ErrorCode::NeedBytes) set_facts(document, {{"needSize", error.need_size}});
  if (error.code == ErrorCode::Truncated && error.need_size != 0) {
    set_facts(document, {{"wholeBytes", error.need_size}});
  }
  if (error.need_file != 0) set_facts(document, {{"needFile", uint64_t{error.need_file}}});
  return document;
}

Json problems(const std::vector<Error>& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.append(problem(error));
  return list;
}

}  // namespace ambry::api
