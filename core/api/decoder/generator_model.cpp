#include "api/decoder/generator_model.h"

#include <optional>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "generate/embedding/text_embedding.h"
#include "generate/run/prompt.h"
#include "io/json/json.h"
#include "model/tokenizer/chat_templates.h"

namespace ambry::api {
namespace {

using io::Json;

Json special_tokens(const generate::Generator& generator) {
  Json texts = Json::object();
  if (!generator.tokenizer) return texts;
  const model::TokenizerData& data = *generator.model.tokenizer;
  const auto set = [&](const char* role, std::optional<uint32_t> id) {
    if (id) texts.set(role, generator.tokenizer->token(*id));
  };
  set("bos", generator.tokenizer->bos());
  set("eos", data.eos_id);
  set("pad", data.pad_id);
  set("unk", data.unk_id);
  return texts;
}

// The default template and the names of all (core/formats/amb/README.md#chat-template).
void set_templates(const model::Model& model, Json& facts) {
  const auto templates = model::chat_templates_of(model.config);
  const std::string* usual = model::find_template(templates, model::kDefaultTemplate);
  facts.set("chatTemplate", usual == nullptr ? Json() : Json(std::string_view(*usual)));
  facts.set("chatTemplates", model::template_names(templates));
}

// Bytes of the KV cache for one token in all layers.
uint64_t bytes_of_token(const infer::Decoder& decoder) {
  const model::DecoderConfig& config = decoder.config();
  uint64_t total = 0;
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    if (!config.keeps_keys(layer)) continue;
    total += uint64_t{2} * config.n_kv_heads_of(layer) *
             (config.head_dim_of(layer) * infer::kv_element_bytes(decoder.kv()) +
              infer::kv_scale_bytes(decoder.kv()));
  }
  return total;
}

// The model's config, with what sentence encoders say of themselves (api/call/documents.cpp).
Json embedding_facts(const model::Model& model, const infer::Decoder& decoder) {
  const model::EmbeddingConfig& embedding = *decoder.config().embedding;
  const uint32_t width = decoder.config().n_embd;
  Json facts = model.config;
  facts.set("hiddenSize", width);
  facts.set("embeddingDim", embedding.embedding_size(width));
  facts.set("pooling", std::string_view(embedding.pooling));
  facts.set("normalize", embedding.normalize);
  facts.set("maxSeqLength", generate::longest_text(decoder));
  if (!embedding.dense.empty()) facts.set("dense", dense_documents(embedding.dense));
  Json& prompts = facts.set("prompts", Json::object());
  for (const auto& [name, text] : embedding.prompts) prompts.set(name, std::string_view(text));
  const std::string& usual = embedding.default_prompt_name;
  facts.set("defaultPrompt", usual.empty() ? Json() : Json(std::string_view(usual)));
  return facts;
}

const char* kv_name(infer::KvType type) {
  switch (type) {
    case infer::KvType::F16:
      return "f16";
    case infer::KvType::Int8:
      return "int8";
    default:
      return "f32";
  }
}

}  // namespace

std::string GeneratorModel::info() const {
  const infer::Decoder& decoder = generator_->decoder;
  const model::DecoderConfig& config = decoder.config();
  Json document = file_info(generator_->model, generator_->model.config);
  if (!stored_.empty()) document.set("tensors", tensor_documents(stored_));
  if (config.embedding) document.set("config", embedding_facts(generator_->model, decoder));
  Json& facts = document.set("generator", Json::object());
  facts.set("architecture", model::architecture_name(config.architecture));
  facts.set("context", decoder.context());
  facts.set("slidingWindow", config.sliding_window ? Json(*config.sliding_window) : Json());
  facts.set("vocabulary", decoder.n_vocab());
  facts.set("layers", config.n_layers);
  facts.set("keyValueBytes", bytes_of_token(decoder));
  facts.set("kv", kv_name(decoder.kv()));
  Json& ends = facts.set("endIds", Json::array());
  if (generator_->tokenizer) {
    for (const uint32_t id : generator_->tokenizer->end_ids()) ends.append(id);
  }
  facts.set("specialTokens", special_tokens(*generator_));
  set_templates(generator_->model, facts);
  Json& streaming = facts.set("streaming", decoder.is_streamed() ? Json::object() : Json());
  if (decoder.is_streamed()) {
    streaming.set("resident", resident_);
    streaming.set("bytesPerPass", decoder.streamed_bytes());
  }
  return document.dump();
}

Result<void> GeneratorModel::check_part(uint64_t part) const {
  if (part < generator_->decoder.n_parts()) return {};
  return make_error(ErrorCode::NotFound, "part", {"the model has no part ", part});
}

Result<std::string> GeneratorModel::room_for(uint64_t part) {
  AMBRY_RETURN_IF_ERROR(check_part(part));
  const auto index = static_cast<size_t>(part);
  generator_->decoder.make_room(index);
  return tensor_ranges_text(generator_->model, generator_->decoder.missing_tensors(index));
}

Result<std::string> GeneratorModel::lacking_next(uint64_t part) const {
  AMBRY_RETURN_IF_ERROR(check_part(part));
  const auto next = generator_->decoder.next_missing(static_cast<size_t>(part));
  return tensor_ranges_text(
      generator_->model, next ? generator_->decoder.missing_tensors(*next) : std::vector<size_t>());
}

}  // namespace ambry::api
