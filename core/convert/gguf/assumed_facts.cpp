#include "convert/gguf/assumed_facts.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "convert/gguf/gemma_keys.h"
#include "convert/gguf/metadata_keys.h"
#include "convert/gguf/state_space_to_gguf.h"
#include "io/json/json.h"
#include "model/decoder/layer_patterns.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::DecoderConfig;
using Architecture = model::DecoderArchitecture;
using Scaling = model::RopeScaling::Kind;

// The layers that the architecture alone makes local or unrotated, which GGUF has no key for.
bool has_usual_layers(const DecoderConfig& facts) {
  const model::ArchitectureDefaults& usual = model::architecture_defaults(facts.architecture);
  if (has_pattern_key(facts)) {
    const bool plain = facts.rotated_layers.empty() && facts.local_layers.empty();
    const double base = usual.rope_local_unscaled && facts.rope_scaling.kind != Scaling::None
                            ? facts.rope_freq_base
                            : 0;
    return facts.rope_local_freq_base == base &&
           (usual.only_local_rotates ? facts.rotated_layers == facts.local_layers || plain
                                     : facts.rotated_layers.empty());
  }
  if (!facts.layer_kinds.empty()) {
    // All layers that attend have the window, or none has it.
    bool usual_windows = facts.rotated_layers.empty() && facts.rope_local_freq_base == 0;
    for (uint32_t layer = 0; layer < facts.n_layers; ++layer) {
      const bool fits = facts.is_local(layer) || !model::attends(facts.kind_of(layer));
      usual_windows = usual_windows && (fits || !facts.sliding_window);
    }
    return usual_windows;
  }
  const Json none = Json::object();
  const auto local = model::local_layers(none, usual, facts.n_layers);
  const auto rotated = model::rotated_layers(none, usual, facts.n_layers);
  return local && rotated && facts.local_layers == *local && facts.rotated_layers == *rotated &&
         facts.rope_local_freq_base == usual.rope_local_freq_base;
}

// What llama.cpp takes for granted of the attention of these two.
Result<void> check_plain_attention(const DecoderConfig& facts, std::string_view name) {
  const bool is_olmoe = name == "olmoe";
  if (!is_olmoe && name != "qwen2_moe") return {};
  if (is_olmoe && facts.n_kv_heads != facts.n_heads) {
    return no_gguf_key("an olmoe whose queries share keys");
  }
  if (uint64_t{facts.n_heads} * facts.head_dim != facts.n_embd) {
    return no_gguf_key("heads that are not as wide as the model together");
  }
  return facts.tie_word_embeddings ? no_gguf_key("an output that is the embedding")
                                   : Result<void>();
}

// How llama.cpp weighs the experts of a token is a property of the architecture.
Result<void> check_experts(const DecoderConfig& facts) {
  if (facts.experts.count == 0) return {};
  const std::string_view name = architecture_name(facts.architecture);
  AMBRY_RETURN_IF_ERROR(check_plain_attention(facts, name));
  if (facts.experts.scale != 1) return no_gguf_key("a factor of what experts give");
  const bool normalizes = name != "olmoe" && name != "qwen2_moe";
  if (facts.experts.normalize != normalizes) {
    return no_gguf_key(normalizes ? "weights of experts that are not normalized"
                                  : "normalized weights of experts");
  }
  if (!has_expert_width(facts) && facts.experts.n_ff != facts.n_ff) {
    return no_gguf_key("a width of experts of its own");
  }
  const bool layered = facts.experts.first_layer > 0 && name != "lfm2_moe";
  return layered ? no_gguf_key("layers without experts") : Result<void>();
}

// The factors of embeddings, layers, scores and logits.
Result<void> check_scales(const DecoderConfig& facts, const model::ArchitectureDefaults& usual) {
  if (is_granite(facts) || facts.architecture == Architecture::FalconH1) return {};
  const double embed = usual.is_gemma ? std::sqrt(static_cast<double>(facts.n_embd)) : 1;
  const bool scaled =
      facts.residual_scale != 1 || facts.logit_scale != 1 || facts.embed_scale != embed;
  if (scaled && facts.architecture != Architecture::MiniCpm) {
    return no_gguf_key("scaled embeddings, layers or logits");
  }
  const double scale = 1 / std::sqrt(static_cast<double>(facts.head_dim));
  if (facts.attn_scale != 0 && std::abs(facts.attn_scale - scale) > 1e-6 * scale) {
    return no_gguf_key("another scale of the scores than 1/√head_dim");
  }
  return {};
}

}  // namespace

bool has_pattern_key(const DecoderConfig& facts) {
  return facts.architecture == Architecture::Olmo3 || facts.architecture == Architecture::Exaone4 ||
         has_gemma_keys(facts);
}

bool is_granite(const DecoderConfig& facts) {
  return architecture_name(facts.architecture).starts_with("granite");
}

bool has_expert_width(const DecoderConfig& facts) {
  const std::string_view name = architecture_name(facts.architecture);
  return name == "qwen3_moe" || name == "lfm2_moe" || facts.experts.shared;
}

bool is_qwen35(const DecoderConfig& facts) {
  return architecture_name(facts.architecture).starts_with("qwen3_5");
}

Result<void> check_assumed(const DecoderConfig& facts) {
  const model::ArchitectureDefaults& usual = model::architecture_defaults(facts.architecture);
  if (facts.activation != usual.activation) {
    return no_gguf_key("another activation than the architecture's own");
  }
  if (facts.norm != usual.norm)
    return no_gguf_key("another kind of norm than the architecture's own");
  AMBRY_RETURN_IF_ERROR(check_experts(facts));
  if (has_gemma_keys(facts)) return check_gemma_keys(facts);
  if (facts.extras != model::DecoderExtras()) {
    return no_gguf_key("layers that share keys, differ in size or have inputs of their own");
  }
  const bool capped = facts.attn_softcap != 0 || facts.final_softcap != 0;
  if (capped && facts.architecture != Architecture::Gemma2) return no_gguf_key("capped scores");
  const bool unrotated = facts.positions == model::DecoderPositions::None;
  if (unrotated && !is_granite(facts) && facts.architecture != Architecture::NemotronH) {
    return no_gguf_key("layers without positions");
  }
  AMBRY_RETURN_IF_ERROR(check_state_spaces(facts));
  if (facts.attn_temperature_scale != 0 &&
      (facts.architecture != Architecture::Ministral3 ||
       facts.attn_temperature_length !=
           facts.rope_scaling.original_max_seq_len.value_or(facts.max_seq_len))) {
    return no_gguf_key("queries that grow with the position");
  }
  if (facts.architecture == Architecture::Ernie45 && (facts.attn_bias || facts.mlp_bias)) {
    return no_gguf_key("the biases of ernie4_5");
  }
  if (facts.delta.key_dim != facts.delta.value_dim) {
    return no_gguf_key("heads whose values are not as wide as their keys");
  }
  if (facts.attn_gate != usual.attn_gate) return no_gguf_key("gates of attention, or none");
  if (!has_usual_layers(facts)) return no_gguf_key("layers that differ in window or rotation");
  return check_scales(facts, usual);
}

}  // namespace ambry::convert
