#include "convert/gguf/from_gguf.h"

#include <array>
#include <string>
#include <utility>

#include "convert/embd_plan.h"
#include "convert/gguf/decoder.h"
#include "convert/gguf/names.h"
#include "convert/gguf/tokenizer.h"
#include "convert/source_model.h"
#include "convert/stored_as.h"
#include "formats/alt/write.h"
#include "formats/amb/write.h"
#include "model/decoder_config.h"
#include "model/encoder_metadata.h"
#include "model/metadata_value.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::Model;
using tensor::DType;

constexpr std::array kAmbTypes = {DType::F32,       DType::F16,  DType::BF16, DType::Int4Block,
                                  DType::Int5Block, DType::Int8, DType::Int4, DType::Int5};
constexpr std::array kAltTypes = {DType::F32, DType::F16, DType::Q8_0};

void add_metadata(const Options& options, Json& metadata) {
  for (const auto& [key, value] : options.metadata) metadata.set(key, value);
}

Result<void> check_alt(const model::DecoderConfig& facts) {
  const auto refuse = [](std::string_view what) {
    return make_error(ErrorCode::Unsupported, "config",
                      {"ALT holds models shaped like Mistral's, without ", what});
  };
  using model::DecoderArchitecture;
  if (facts.architecture != DecoderArchitecture::Llama &&
      facts.architecture != DecoderArchitecture::Mistral) {
    return refuse(concat({"the layers of ", architecture_name(facts.architecture)}));
  }
  if (facts.rope_scaling.kind != model::RopeScaling::Kind::None)
    return refuse("stretched rotation");
  if (facts.partial_rotary_factor != 1) return refuse("heads rotated in part");
  if (facts.attn_bias || facts.mlp_bias) return refuse("biases");
  return {};
}

// ALT v1 states these and no others.
Json alt_config(const model::DecoderConfig& facts) {
  Json config = Json::object();
  config.append_member("model_type", "mistral");
  config.append_member("hidden_size", facts.n_embd);
  config.append_member("num_hidden_layers", facts.n_layers);
  config.append_member("intermediate_size", facts.n_ff);
  config.append_member("num_attention_heads", facts.n_heads);
  config.append_member("num_key_value_heads", facts.n_kv_heads);
  config.append_member("sliding_window", facts.sliding_window.value_or(0));
  config.append_member("rope_theta", facts.rope_freq_base);
  config.append_member("rms_norm_eps", facts.norm_eps);
  config.append_member("head_size", facts.head_dim);
  config.append_member("context_length", facts.max_seq_len);
  return config;
}

// Version 1 merges pieces by their ids, the lower the earlier.
bool scores_follow_ids(const model::TokenizerData& tokenizer) {
  constexpr uint8_t kNormal = 1;
  std::optional<float> last;
  for (size_t id = 0; id < tokenizer.scores.size(); ++id) {
    if (id < tokenizer.types.size() && tokenizer.types[id] != kNormal) continue;
    if (last && tokenizer.scores[id] >= *last) return false;
    last = tokenizer.scores[id];
  }
  return true;
}

Result<void> lose_for_alt(const GgufDecoder& decoder, const Json& others, const Options& options,
                          std::vector<Error>& warnings) {
  const auto& tokenizer = decoder.plan.target.tokenizer;
  if (tokenizer && !scores_follow_ids(*tokenizer)) {
    AMBRY_CHECK(lose(options, warnings,
                     make_error(ErrorCode::Unsupported, "tokenizer.scores",
                                "ALT merges pieces in the order of their ids, not by scores")));
  }
  if (model::has_value(decoder.tokenizer_options, "chat_template")) {
    AMBRY_CHECK(lose(options, warnings,
                     make_error(ErrorCode::Unsupported, "tokenizer.chat_template",
                                "ALT has no place for a chat template")));
  }
  // What only describes the model is no reason to stop.
  for (const auto& [key, value] : others.members()) {
    warnings.push_back(make_error(ErrorCode::Unsupported, {"metadata.", key},
                                  "left out: ALT has no place for it"));
  }
  return {};
}

// The facts of an encoder that GGUF's `bert.*` keys state.
Json encoder_metadata(const Model& gguf) {
  struct Fact {
    const char* key;
    std::string_view suffix;
  };
  constexpr std::array<Fact, 6> kFacts = {{{"hidden_size", "embedding_length"},
                                           {"num_layers", "block_count"},
                                           {"num_attention_heads", "attention.head_count"},
                                           {"intermediate_size", "feed_forward_length"},
                                           {"max_seq_length", "context_length"},
                                           {"layer_norm_eps", "attention.layer_norm_epsilon"}}};
  constexpr std::array<const char*, 4> kPoolings = {nullptr, "mean", "cls", "lasttoken"};
  Json metadata = Json::object();
  for (const Fact& fact : kFacts) {
    const Json* value = gguf.metadata.find(concat({"bert.", fact.suffix}));
    if (value != nullptr) metadata.set(fact.key, value->dump());
  }
  const Json* pooling = gguf.metadata.find("bert.pooling_type");
  const uint64_t number = pooling != nullptr && pooling->is_uint() ? pooling->uint() : 0;
  if (number < kPoolings.size() && kPoolings[static_cast<size_t>(number)] != nullptr) {
    metadata.set("pooling_mode", kPoolings[static_cast<size_t>(number)]);
  }
  if (const auto name = model::metadata_text(gguf.metadata, "general.name")) {
    metadata.set("model_name", *name);
  }
  return metadata;
}

// Texts as they are, everything else as JSON: EMBD's metadata has texts only.
void add_as_texts(const Json& others, Json& metadata) {
  for (const auto& [key, value] : others.members()) {
    if (metadata.find(key) == nullptr) {
      metadata.set(key, value.is_string() ? value.string() : value.dump());
    }
  }
}

Result<void> rename_encoder(Model& model, const Options& options, std::vector<Error>& warnings) {
  const GgufArchitecture* bert = find_gguf_architecture("bert");
  std::vector<model::TensorEntry> renamed;
  for (model::TensorEntry& tensor : model.tensors) {
    const TensorName name = take_apart(tensor.name);
    const auto row = std::ranges::find(bert->names, name.pattern, &GgufName::gguf);
    if (row == bert->names.end() || name.ending.empty()) {
      AMBRY_CHECK(lose(options, warnings,
                       error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                                "no part of a bert that is known here")));
      continue;
    }
    tensor.name = put_together(row->other, name);
    renamed.push_back(std::move(tensor));
  }
  model.tensors = std::move(renamed);
  return {};
}

}  // namespace

Result<Plan> plan_amb_from_gguf(const Sources& sources, const Options& options) {
  AMBRY_TRY(GgufDecoder decoder, read_gguf_decoder(sources, options, kAmbTypes));
  Plan& plan = decoder.plan;
  AMBRY_TRY(const Json others, other_metadata(decoder.source, options, plan.warnings));
  Json& metadata = plan.target.metadata;
  if (const auto name = model::metadata_text(decoder.source.metadata, "general.name")) {
    metadata.set("name", *name);
  }
  for (const auto& [key, value] : others.members()) metadata.set(key, value);
  add_metadata(options, metadata);
  if (decoder.tokenizer_options.is_object()) {
    plan.target.config.set("tokenizer", std::move(decoder.tokenizer_options));
  }
  plan.target.format = "amb";
  AMBRY_TRY(plan.layout, formats::amb::lay_out(plan.target));
  return std::move(plan);
}

Result<Plan> plan_alt_from_gguf(const Sources& sources, const Options& options) {
  AMBRY_TRY(GgufDecoder decoder, read_gguf_decoder(sources, options, kAltTypes));
  Plan& plan = decoder.plan;
  io::Diagnostics ignored;
  AMBRY_TRY(const auto facts, model::decoder_config(plan.target, ignored));
  AMBRY_CHECK(check_alt(facts));
  AMBRY_TRY(const Json others, other_metadata(decoder.source, options, plan.warnings));
  AMBRY_CHECK(lose_for_alt(decoder, others, options, plan.warnings));
  plan.target.config = alt_config(facts);
  plan.target.format = "alt";
  plan.target.version = "v1";
  AMBRY_TRY(plan.layout, formats::alt::lay_out(plan.target));
  return std::move(plan);
}

Result<Plan> plan_embd_from_gguf(const Sources& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "gguf"));
  Model& model = source.model;
  const auto stated = model::metadata_text(model.metadata, "general.architecture").value_or("");
  if (stated != "bert") {
    return model::metadata_error(model.metadata, "general.architecture", ErrorCode::Unsupported,
                                 {"EMBD holds BERT encoders, not \"", stated, "\""});
  }
  AMBRY_CHECK(rename_encoder(model, options, source.warnings));
  AMBRY_TRY(const Json others, other_metadata(model, options, source.warnings));
  if (model.tokenizer) {
    AMBRY_TRY(GgufTokenizer made, tokenizer_from_gguf(model, options, source.warnings));
    model.tokenizer = std::move(made.tokenizer);
  }
  model.metadata = encoder_metadata(model);
  add_as_texts(others, model.metadata);
  return plan_embd_of(std::move(source), options);
}

}  // namespace ambry::convert
