#include "convert/decoder/alt_config.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "convert/decoder/sentencepiece_file.h"
#include "convert/tensor/target_dtype.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::DecoderConfig;

struct Requirement {
  bool met;
  std::string_view otherwise;
};

Result<void> check_shape(const DecoderConfig& facts) {
  using model::DecoderArchitecture;
  const std::array kRequirements = {
      Requirement{facts.architecture == DecoderArchitecture::Llama ||
                      facts.architecture == DecoderArchitecture::Mistral,
                  architecture_name(facts.architecture)},
      Requirement{facts.norm == model::DecoderNorm::Rms && facts.norm_offset == 0, "other norms"},
      Requirement{facts.activation == model::DecoderActivation::Silu && facts.gated,
                  "another activation"},
      Requirement{facts.positions == model::DecoderPositions::Rope, "other positions"},
      Requirement{facts.rope_scaling.kind == model::RopeScaling::Kind::None,
                  "scaled rotary positions"},
      Requirement{facts.partial_rotary_factor == 1, "partly rotated heads"},
      Requirement{!facts.attn_bias && !facts.mlp_bias, "biases"},
      Requirement{!facts.parallel_residual && facts.embed_scale == 1 && facts.attn_softcap == 0 &&
                      facts.final_softcap == 0 && facts.residual_scale == 1 &&
                      facts.logit_scale == 1 && facts.attn_scale == 0 &&
                      facts.local_layers.empty() && facts.rotated_layers.empty() &&
                      facts.attn_temperature_scale == 0,
                  "other layers"}};
  for (const auto& [met, otherwise] : kRequirements) {
    if (met) continue;
    return make_error(ErrorCode::Unsupported, "config",
                      {"ALT holds models shaped like Mistral's; this one has ", otherwise});
  }
  return {};
}

Json alt_config(const DecoderConfig& facts) {
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

// A piece of one character is not made by a merge, so its score has no meaning.
bool is_one_character(std::string_view piece) {
  return std::ranges::count_if(
             piece, [](char c) { return (static_cast<uint8_t>(c) & 0xC0U) != 0x80; }) == 1;
}

// Version 1 merges pieces by id, with those of white space last
// (core/formats/alt/README.md#merge-order). Of equal scores, either may come first.
bool scores_follow_ids(const model::TokenizerData& tokenizer) {
  constexpr uint8_t kNormal = 1;
  std::optional<float> last;
  std::optional<float> highest_blank;
  for (size_t id = 0; id < tokenizer.scores.size(); ++id) {
    if (id < tokenizer.types.size() && tokenizer.types[id] != kNormal) continue;
    if (is_one_character(tokenizer.vocabulary[id])) continue;
    const float score = tokenizer.scores[id];
    if (is_blank_piece(tokenizer.vocabulary[id])) {
      if (!highest_blank || score > *highest_blank) highest_blank = score;
      continue;
    }
    if (last && score > *last) return false;
    last = score;
  }
  return !last || !highest_blank || *highest_blank <= *last;
}

// As readers of ALT do.
bool adds_bos_only(const model::TokenizerData& tokenizer) {
  if (!tokenizer.post_processor) {
    return tokenizer.add_bos.value_or(true) && !tokenizer.add_eos.value_or(false);
  }
  const auto ends = model::text_ends(*tokenizer.post_processor);
  return ends && ends->before == tokenizer.bos_id && !ends->after;
}

}  // namespace

Result<void> fit_into_alt(const DecoderConfig& facts, const Options& options, Plan& plan) {
  AMBRY_RETURN_IF_ERROR(check_shape(facts));
  model::Model& target = plan.target;
  const auto lose_fact = [&](std::string_view path, const char* why) {
    return lose(options, plan.warnings, make_error(ErrorCode::Unsupported, path, why));
  };
  if (target.tokenizer && !scores_follow_ids(*target.tokenizer)) {
    AMBRY_RETURN_IF_ERROR(lose_fact("tokenizer.scores", "ALT merges pieces by id, not by score"));
  }
  const Json* stated = target.config.find("tokenizer");
  for (const char* key : {"chat_template", "chat_templates"}) {
    if (stated == nullptr || !model::has_value(*stated, key)) continue;
    AMBRY_RETURN_IF_ERROR(
        lose_fact(concat({"tokenizer.", key}), "ALT cannot store a chat template"));
  }
  if (facts.ranks) {
    AMBRY_RETURN_IF_ERROR(
        lose_fact("config.reranker", "ALT cannot store how a model ranks documents"));
  }
  if (target.tokenizer && !target.tokenizer->eos_ids.empty()) {
    plan.warnings.push_back(
        make_error(ErrorCode::Unsupported, "tokenizer.eos_id",
                   "only the first id is kept: ALT stores one end of an answer"));
  }
  const size_t n_tokens = target.tokenizer ? target.tokenizer->vocabulary.size() : 0;
  if (target.tokenizer &&
      std::ranges::any_of(target.tokenizer->added_tokens,
                          [&](const model::AddedToken& token) { return token.id >= n_tokens; })) {
    AMBRY_RETURN_IF_ERROR(
        lose_fact("tokenizer.added_tokens", "ALT stores only the tokens of the model file"));
  }
  if (target.tokenizer && !adds_bos_only(*target.tokenizer)) {
    plan.warnings.push_back(make_error(ErrorCode::Unsupported, "tokenizer.post_processor",
                                       "ALT puts BOS before each text and nothing else, so texts "
                                       "get other ids at their ends"));
  }
  // Losing descriptive metadata is only a warning.
  for (const auto& [key, value] : target.metadata.members()) {
    if (key == "checksums") continue;
    plan.warnings.push_back(
        make_error(ErrorCode::Unsupported, {"metadata.", key}, "left out: ALT cannot store it"));
  }
  target.metadata = Json::object();
  target.config = alt_config(facts);
  target.format = "alt";
  target.version = "v1";
  return {};
}

}  // namespace ambry::convert
