#include "model/decoder/decoder_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/decoder/config/reranker_config.h"
#include "model/decoder/config_fields.h"
#include "model/decoder/decoder_choices.h"
#include "model/decoder/decoder_positions.h"
#include "model/decoder/decoder_tensors.h"
#include "model/decoder/layer_patterns.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

// Far above any real decoder. Keeps a hostile value from growing the list of expected tensors.
constexpr uint32_t kMaxDecoderLayers = 512;
// Real ones have 3 or 4.
constexpr uint32_t kMaxConvTaps = 64;

using Architecture = DecoderArchitecture;

class Reader {
 public:
  Reader(const Model& model, io::Diagnostics& diagnostics)
      : json_(model.config),
        fields_(model.config),
        model_(model),
        index_(decoder_tensor_index(model.tensors)),
        diagnostics_(diagnostics) {}

  Result<DecoderConfig> read() {
    AMBRY_RETURN_IF_ERROR(read_architecture());
    AMBRY_RETURN_IF_ERROR(read_sizes());
    AMBRY_RETURN_IF_ERROR(read({{bidirectional_key(), config_.bidirectional}}));
    AMBRY_RETURN_IF_ERROR(read_heads());
    AMBRY_RETURN_IF_ERROR(read_layers());
    AMBRY_RETURN_IF_ERROR(read_positions(fields_, find_position_table(), diagnostics_, config_));
    AMBRY_RETURN_IF_ERROR(read_scales());
    AMBRY_RETURN_IF_ERROR(check_bidirectional());
    AMBRY_TRY(config_.embedding, embedding_config(json_, config_.n_embd));
    AMBRY_RETURN_IF_ERROR(read_reranker());
    AMBRY_RETURN_IF_ERROR(read_extras());
    return config_;
  }

 private:
  [[nodiscard]] const char* key(const char* name, const char* other) const {
    return fields_.key(name, other);
  }
  [[nodiscard]] Failure fail(const char* name, ErrorCode code, const Text& message) const {
    return fields_.fail(name, code, message);
  }
  [[nodiscard]] Result<void> read(std::initializer_list<ValueTarget> targets) const {
    return fields_.read(targets);
  }
  [[nodiscard]] Result<void> require(const char* name, uint32_t& out) const {
    return fields_.require(name, out);
  }
  [[nodiscard]] const TensorEntry* find(DecoderRole role, bool bias = false) const {
    const uint32_t layer = first_layer_with(config_, role);
    return find_decoder_tensor(index_, config_.architecture, role, layer, bias);
  }
  [[nodiscard]] const TensorEntry* find_position_table() const {
    return find_decoder_tensor(index_, config_.architecture, DecoderRole::PositionEmbedding,
                               kNoLayer);
  }
  [[nodiscard]] const ArchitectureDefaults& defaults() const {
    return architecture_defaults(config_.architecture);
  }

  Result<void> read_architecture();
  Result<void> read_phi(const char* name);
  Result<void> read_sizes();
  Result<void> read_kinds();
  Result<void> read_state_space();
  Result<void> read_heads();
  Result<void> read_layers();
  Result<void> read_feed_forward();
  Result<void> read_scales();
  [[nodiscard]] const char* bidirectional_key() const {
    return key("bidirectional_attention", "use_bidirectional_attention");
  }
  Result<void> check_bidirectional() const;
  Result<void> read_reranker();
  Result<void> read_extras() {
    config_.extras.value_norm = defaults().value_norm;
    const TensorEntry* table =
        find_decoder_tensor(index_, config_.architecture, DecoderRole::PerLayerEmbedding, kNoLayer);
    return read_decoder_extras(json_, table, config_);
  }

  const io::Json& json_;
  ConfigFields fields_;
  const Model& model_;
  TensorIndex index_;
  io::Diagnostics& diagnostics_;
  DecoderConfig config_;
};

Result<void> Reader::read_architecture() {
  const char* name = key("architecture", "model_type");
  const auto text = metadata_text(json_, name);
  if (!text) return fail(name, ErrorCode::NotFound, "the config does not state an architecture");
  if (*text == "phi") return read_phi(name);
  const auto known = find_architecture(*text);
  if (!known) {
    return fail(name, ErrorCode::Unsupported,
                {"the architecture \"", *text, "\" is not supported"});
  }
  config_.architecture = *known;
  return {};
}

// "phi" may mean Phi-2 or Phi-3; the tensors show which (core/formats/amb/README.md#phi).
Result<void> Reader::read_phi(const char* name) {
  config_.architecture = Architecture::Phi3;
  if (find(DecoderRole::QueryKeyValue) != nullptr) return {};
  config_.architecture = Architecture::Phi2;
  if (find(DecoderRole::Query) != nullptr && find(DecoderRole::Up) != nullptr) return {};
  return fail(name, ErrorCode::NotFound,
              "the tensors of layer 0 show neither Phi-2 (q_proj, fc1) nor Phi-3 (qkv_proj)");
}

Result<void> Reader::read_sizes() {
  AMBRY_RETURN_IF_ERROR(require(key("n_vocab", "vocab_size"), config_.n_vocab));
  AMBRY_RETURN_IF_ERROR(require(key("n_embd", "hidden_size"), config_.n_embd));
  const char* layers = key("n_layers", "num_hidden_layers");
  AMBRY_RETURN_IF_ERROR(require(layers, config_.n_layers));
  if (config_.n_layers > kMaxDecoderLayers) {
    return fail(layers, ErrorCode::LimitExceeded,
                {config_.n_layers, " layers, at most ", kMaxDecoderLayers, " are supported"});
  }
  return read_kinds();
}

// What the layers are, and the sizes of those that keep a state.
Result<void> Reader::read_kinds() {
  AMBRY_TRY(config_.layer_kinds, layer_kinds(json_, defaults(), config_.n_layers));
  config_.separate_mlp = defaults().separate_mlp;
  AMBRY_RETURN_IF_ERROR(read_state_space());
  if (config_.layer_kinds.empty()) return {};
  if (std::ranges::find(config_.layer_kinds, LayerKind::GatedDelta) != config_.layer_kinds.end()) {
    AMBRY_TRY(config_.delta, gated_delta_config(json_));
    AMBRY_RETURN_IF_ERROR(read({{"ssm_a_log", config_.decay_is_log}}));
  }
  const char* taps = key(key("conv_taps", "conv_L_cache"), "linear_conv_kernel_dim");
  AMBRY_RETURN_IF_ERROR(require(taps, config_.conv_taps));
  if (config_.conv_taps == 1) {
    return fail(taps, ErrorCode::BadValue, "a convolution of one token keeps no state");
  }
  if (config_.conv_taps <= kMaxConvTaps) return {};
  return fail(taps, ErrorCode::LimitExceeded,
              {config_.conv_taps, " taps, at most ", kMaxConvTaps, " are supported"});
}

Result<void> Reader::read_state_space() {
  const bool is_one = std::ranges::any_of(config_.layer_kinds, is_state_space);
  if (!is_one) return {};
  AMBRY_TRY(config_.state_space, state_space_config(json_));
  config_.state_norm = find(DecoderRole::StateNorm) != nullptr;
  config_.conv_bias = find(DecoderRole::Convolution, true) != nullptr;
  return read({{"ssm_a_log", config_.decay_is_log},
               {"ssm_norm", config_.state_norm},
               {"conv_bias", config_.conv_bias}});
}

Result<void> Reader::read_heads() {
  const char* heads = key("n_heads", "num_attention_heads");
  AMBRY_RETURN_IF_ERROR(require(heads, config_.n_heads));
  config_.n_kv_heads = config_.n_heads;
  const char* kv_heads = key("n_kv_heads", "num_key_value_heads");
  AMBRY_RETURN_IF_ERROR(require(kv_heads, config_.n_kv_heads));
  if (config_.n_heads % config_.n_kv_heads != 0) {
    return fail(kv_heads, ErrorCode::BadValue,
                {config_.n_kv_heads, " key-value heads do not divide ", config_.n_heads, " heads"});
  }
  const char* head_dim = key("head_dim", "head_size");
  if (!has_value(json_, head_dim)) {
    config_.head_dim = defaults().is_gemma ? 256 : config_.n_embd / config_.n_heads;
    if (config_.head_dim * uint64_t{config_.n_heads} != config_.n_embd && !defaults().is_gemma) {
      return fail(heads, ErrorCode::BadValue,
                  {config_.n_heads, " heads do not divide the width ", config_.n_embd});
    }
  }
  AMBRY_RETURN_IF_ERROR(require(head_dim, config_.head_dim));
  if (uint64_t{config_.n_heads} * config_.head_dim <= UINT32_MAX) return {};
  return fail(head_dim, ErrorCode::Overflow, "the width of all heads together passes 32 bits");
}

// Reads n_ff from the rows of the layer that widens, or from half of them when gate and up are one
// tensor (core/formats/amb/README.md#config).
Result<void> Reader::read_feed_forward() {
  const TensorEntry* up = find(DecoderRole::Up);
  uint64_t share = 1;
  if (up == nullptr) {
    up = find(DecoderRole::GateUp);
    share = 2;
  }
  if (up != nullptr && up->shape.rank() == 2) {
    const uint64_t rows = up->shape[model_.linear_layout == LinearLayout::OutIn ? 0 : 1];
    config_.n_ff = static_cast<uint32_t>(std::min<uint64_t>(rows / share, UINT32_MAX));
  }
  return require(key("n_ff", "intermediate_size"), config_.n_ff);
}

Result<void> Reader::read_layers() {
  AMBRY_RETURN_IF_ERROR(read_feed_forward());
  AMBRY_TRY(config_.experts, expert_config(json_, defaults(), config_.n_layers, config_.n_ff));
  config_.norm = defaults().norm;
  config_.norm_eps = defaults().norm_eps;
  config_.activation = defaults().activation;
  config_.gated = defaults().gated;
  AMBRY_RETURN_IF_ERROR(fields_.read_choice("norm_type", kNorms, config_.norm));
  const char* eps = key("norm_eps", "rms_norm_eps");
  AMBRY_RETURN_IF_ERROR(read({{eps, config_.norm_eps}}));
  if (!(config_.norm_eps >= 0 && config_.norm_eps < 1)) {
    return fail(eps, ErrorCode::BadValue, "must be between 0 and 1");
  }
  AMBRY_RETURN_IF_ERROR(
      fields_.read_choice(key("activation_fn", "hidden_act"), kActivations, config_.activation));
  if (config_.activation == DecoderActivation::Xielu) {
    if (defaults().activation != DecoderActivation::Xielu) {
      return fail(key("activation_fn", "hidden_act"), ErrorCode::Unsupported,
                  "xielu is supported for apertus only");
    }
    AMBRY_TRY(config_.xielu, xielu_layers(json_, config_.n_layers));
  }
  // When layer 0 has a bias, every layer must have it.
  config_.attn_gate = defaults().attn_gate;
  AMBRY_RETURN_IF_ERROR(read({{key("attn_gate", "attn_output_gate"), config_.attn_gate}}));
  config_.attn_bias = find(DecoderRole::Query, true) != nullptr ||
                      find(DecoderRole::QueryKeyValue, true) != nullptr;
  config_.mlp_bias =
      find(DecoderRole::Up, true) != nullptr || find(DecoderRole::GateUp, true) != nullptr;
  config_.tie_word_embeddings =
      find_decoder_tensor(index_, config_.architecture, DecoderRole::Output, kNoLayer) == nullptr;
  // The falcons whose second norm has this name use it after the attention.
  config_.parallel_residual =
      defaults().parallel_residual && (config_.architecture != Architecture::Falcon ||
                                       index_.find("h.0.post_attention_layernorm") == nullptr);
  config_.qkv_per_head = defaults().qkv_per_head;
  return read({{"attn_bias", config_.attn_bias},
               {"mlp_bias", config_.mlp_bias},
               {"tie_word_embeddings", config_.tie_word_embeddings},
               {"qkv_per_head", config_.qkv_per_head},
               {"parallel_residual", config_.parallel_residual}});
}

Result<void> Reader::read_scales() {
  if (defaults().norms_minus_1) config_.norm_offset = 1;
  if (defaults().is_gemma) {
    config_.embed_scale = std::sqrt(static_cast<double>(config_.n_embd));
    config_.norm_offset = defaults().plain_norms ? 0 : 1;
  }
  if (defaults().value_norm) config_.attn_scale = 1;
  const char* attn = key("attn_softcap", "attn_logit_softcapping");
  const char* final = key("final_softcap", "final_logit_softcapping");
  AMBRY_RETURN_IF_ERROR(
      read({{key("embed_scale", "embedding_multiplier"), config_.embed_scale},
            {key("attn_scale", "attention_multiplier"), config_.attn_scale},
            {key("residual_scale", "residual_multiplier"), config_.residual_scale},
            {"logit_scale", config_.logit_scale},
            {"attn_out_scale", config_.attn_out_scale},
            {"mlp_gate_scale", config_.mlp_gate_scale},
            {"mlp_out_scale", config_.mlp_out_scale},
            {"norm_offset", config_.norm_offset},
            {"attn_temperature_scale", config_.attn_temperature_scale},
            {"attn_temperature_length", config_.attn_temperature_length},
            {attn, config_.attn_softcap},
            {final, config_.final_softcap}}));
  const std::pair<const char*, double> kNotNegative[] = {
      {attn, config_.attn_softcap},
      {final, config_.final_softcap},
      {"attn_scale", config_.attn_scale},
      {"attn_temperature_scale", config_.attn_temperature_scale}};
  for (const auto& [name, value] : kNotNegative) {
    if (value < 0) return fail(name, ErrorCode::BadValue, "must not be negative");
  }
  if (config_.attn_temperature_scale == 0 || config_.attn_temperature_length > 0) return {};
  return fail("attn_temperature_length", ErrorCode::NotFound,
              "the config states attn_temperature_scale and not from which position on it counts");
}

Result<void> Reader::check_bidirectional() const {
  if (!config_.bidirectional) return {};
  if (std::ranges::any_of(config_.layer_kinds, keeps_state)) {
    return fail(bidirectional_key(), ErrorCode::Unsupported,
                "attention to later tokens, in a model with layers that keep a state");
  }
  const bool stretches = config_.rope_scaling.kind == RopeScaling::Kind::Dynamic ||
                         config_.rope_scaling.kind == RopeScaling::Kind::LongRope;
  if (config_.positions == DecoderPositions::Rope && !stretches) return {};
  return fail(bidirectional_key(), ErrorCode::Unsupported,
              "attention to later tokens needs rotary positions that do not depend on the length");
}

Result<void> Reader::read_reranker() {
  AMBRY_TRY(const auto reranker, reranker_config(json_, config_.n_vocab));
  if (!reranker) return {};
  config_.ranks = true;
  config_.rank_head = reranker->head;
  config_.first_ranked_layer = reranker->first_layer;
  if (config_.first_ranked_layer > config_.n_layers) {
    return fail("reranker", ErrorCode::BadValue,
                {"first_layer is ", config_.first_ranked_layer, ", but the model has ",
                 config_.n_layers, " layers"});
  }
  const bool has_head = config_.rank_head || config_.first_ranked_layer > 0;
  if (!config_.bidirectional && !(has_head && config_.embedding)) return {};
  return fail("reranker", ErrorCode::Unsupported,
              "a model with attention to later tokens, or with embeddings beside such a head, does "
              "not rank");
}

}  // namespace

uint32_t DecoderConfig::kv_layer(uint32_t layer) const {
  const uint32_t first = n_layers - std::min(extras.n_shared_kv, n_layers);
  if (layer < first) return layer;
  for (uint32_t before = first; before > 0; --before) {
    if (is_local(before - 1) == is_local(layer)) return before - 1;
  }
  return layer;
}

bool DecoderConfig::lends_keys(uint32_t layer) const {
  for (uint32_t after = n_layers - std::min(extras.n_shared_kv, n_layers); after < n_layers;
       ++after) {
    if (after != layer && kv_layer(after) == layer) return true;
  }
  return false;
}

std::vector<DenseConfig> decoder_dense_layers(const DecoderConfig& config) {
  if (config.embedding) return config.embedding->dense;
  if (!config.rank_head) return {};
  return {{config.n_embd, kRerankerOutputs, false, DenseActivation::Identity}};
}

Result<LinearLayout> decoder_linear_layout(const io::Json& config) {
  const auto text = metadata_text(config, "linear_layout");
  if (text == "out_in") return LinearLayout::OutIn;
  if (text == "in_out") return LinearLayout::InOut;
  if (has_value(config, "linear_layout")) {
    return metadata_error(config, "linear_layout", ErrorCode::BadValue,
                          "neither \"out_in\" nor \"in_out\"", kConfigSection);
  }
  const auto architecture = find_architecture(metadata_text(config, "architecture").value_or(""));
  return architecture ? architecture_defaults(*architecture).linear_layout : LinearLayout::OutIn;
}

Result<DecoderConfig> decoder_config(const Model& model, io::Diagnostics& diagnostics) {
  return Reader(model, diagnostics).read();
}

}  // namespace ambry::model
