#include "convert/gguf/metadata_keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/concat.h"
#include "base/shortest.h"
#include "convert/gguf/assumed_facts.h"
#include "convert/gguf/encoder_head.h"
#include "convert/gguf/gemma_keys.h"
#include "convert/gguf/rope_factors.h"
#include "convert/gguf/state_space_to_gguf.h"
#include "convert/tensor/target_dtype.h"
#include "formats/gguf/gated_delta_facts.h"
#include "formats/gguf/names/tensor_names.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::DecoderConfig;
using Architecture = model::DecoderArchitecture;
using Scaling = model::RopeScaling::Kind;

// llama.cpp's number for a file in which most matrices have a certain type.
constexpr auto kFileTypes = tensor::numbered_dtypes<&tensor::DTypeRow::gguf_file>();

// The pooling and the dense layers of an embedding. llama.cpp always gives vectors of length 1.
Result<void> put_embedding(const DecoderConfig& facts, std::string_view architecture,
                           Json& metadata) {
  if (facts.bidirectional) metadata.set(concat({architecture, ".attention.causal"}), false);
  if (facts.rank_head) return no_gguf_key("the layer that ranks documents");
  if (!facts.embedding) return {};
  const model::EmbeddingConfig& embedding = *facts.embedding;
  const auto* pooling = std::ranges::find(formats::gguf::kPoolingTypes, embedding.pooling);
  if (pooling == formats::gguf::kPoolingTypes.end()) return no_gguf_key(embedding.pooling);
  metadata.set(concat({architecture, ".pooling_type"}),
               static_cast<uint32_t>(pooling - formats::gguf::kPoolingTypes.begin()));
  const bool has_place = architecture == formats::gguf::kGemmaEmbedding &&
                         embedding.dense.size() == formats::gguf::kDenseTensors.size();
  if (!embedding.dense.empty() && !has_place) {
    return no_gguf_key("dense layers after the pooling, but for the two of gemma-embedding");
  }
  for (const model::DenseConfig& layer : embedding.dense) {
    if (!layer.bias && layer.activation == model::DenseActivation::Identity) continue;
    return no_gguf_key("the bias or the activation of a dense layer after the pooling");
  }
  constexpr std::array<std::string_view, 2> kSides = {"in", "out"};
  for (size_t i = 0; i < embedding.dense.size(); ++i) {
    const uint32_t sizes[] = {embedding.dense[i].in_features, embedding.dense[i].out_features};
    for (size_t side = 0; side < kSides.size(); ++side) {
      metadata.set(
          concat({architecture, ".", formats::gguf::kDenseTensors[i], "_feat_", kSides[side]}),
          sizes[side]);
    }
  }
  return {};
}

// llama.cpp reads fractions as f32 and refuses longer ones.
Json as_f32(Json value) {
  if (value.kind() != Json::Kind::Double) return value;
  return shortest_double(static_cast<float>(value.number()));
}

// The lists of xIELU's parameters have no architecture in their keys.
void put_xielu(const DecoderConfig& facts, Json& metadata) {
  if (facts.xielu.empty()) return;
  const auto put = [&](std::string_view key, double model::XieluParameters::* parameter) {
    Json list = Json::array();
    for (const model::XieluParameters& layer : facts.xielu) list.append(as_f32(layer.*parameter));
    metadata.set(key, std::move(list));
  };
  put("xielu.alpha_p", &model::XieluParameters::alpha_p);
  put("xielu.alpha_n", &model::XieluParameters::alpha_n);
  put("xielu.beta", &model::XieluParameters::beta);
  put("xielu.eps", &model::XieluParameters::eps);
}

// Layers that do not attend have no heads of keys. llama.cpp knows them by that.
Json heads_of_layers(const DecoderConfig& facts) {
  Json heads = Json::array();
  for (uint32_t layer = 0; layer < facts.n_layers; ++layer) {
    heads.append(model::attends(facts.kind_of(layer)) ? facts.n_kv_heads : 0U);
  }
  return heads;
}

// llama.cpp wants the sections of rotated pairs, which text does not need.
template <class Put>
void put_gated_delta(const DecoderConfig& facts, const Put& put) {
  const uint64_t values[] = {facts.conv_taps, facts.delta.key_dim, facts.delta.n_key_heads,
                             facts.delta.n_value_heads, facts.delta.values()};
  static_assert(std::size(values) == formats::gguf::kDeltaFacts.size());
  for (size_t i = 0; i < std::size(values); ++i) {
    put(formats::gguf::kDeltaFacts[i].suffix, values[i]);
  }
  Json keep_state = Json::array();
  for (const model::LayerKind kind : facts.layer_kinds) keep_state.append(keeps_state(kind));
  put(formats::gguf::kRecurrentLayers, std::move(keep_state));
  Json sections = Json::array();
  const uint32_t pairs = facts.n_rotated / 2;
  for (const uint32_t section : {(pairs + 2) / 3, (pairs + 1) / 3, pairs / 3, 0U}) {
    sections.append(section);
  }
  put(formats::gguf::kRopeSections, std::move(sections));
}

// Keys that only some architectures have.
template <class Put>
void put_special_facts(const DecoderConfig& facts, const Put& put) {
  if (facts.attn_softcap != 0) put("attn_logit_softcapping", facts.attn_softcap);
  if (facts.final_softcap != 0) put("final_logit_softcapping", facts.final_softcap);
  if (is_granite(facts)) {
    const double usual = 1 / std::sqrt(static_cast<double>(facts.head_dim));
    put("attention.scale", facts.attn_scale == 0 ? usual : facts.attn_scale);
    // llama.cpp's switch for the rotation of a granite.
    if (facts.positions == model::DecoderPositions::None) put("rope.scaling.finetuned", false);
  }
  if (is_granite(facts) || facts.architecture == Architecture::MiniCpm) {
    put("embedding_scale", facts.embed_scale);
    put("residual_scale", facts.residual_scale);
    put("logit_scale", 1 / facts.logit_scale);
  }
  if (facts.experts.count > 0) {
    put("expert_count", facts.experts.count);
    put("expert_used_count", facts.experts.used);
    if (facts.architecture == Architecture::GraniteHybrid) {
      put("feed_forward_length", facts.experts.n_ff);
    } else if (has_expert_width(facts)) {
      put("expert_feed_forward_length", facts.experts.n_ff);
    }
    if (facts.experts.shared && !facts.experts.norms) {
      put("expert_shared_feed_forward_length", facts.n_ff);
    }
    if (facts.experts.sigmoid) put("expert_gating_func", 2U);
    if (facts.experts.first_layer > 0) {
      put("leading_dense_block_count", facts.experts.first_layer);
    }
  }
  if (facts.architecture == Architecture::StableLm || facts.architecture == Architecture::GptNeoX) {
    put("use_parallel_residual", facts.parallel_residual);
  }
  if (architecture_name(facts.architecture).starts_with("lfm2")) {
    put("shortconv.l_cache", facts.conv_taps);
  }
  put_state_spaces(facts, put);
  if (is_qwen35(facts)) put_gated_delta(facts, put);
  if (facts.attn_temperature_scale != 0) {
    put("attention.temperature_scale", facts.attn_temperature_scale);
  }
  if (!has_pattern_key(facts) || facts.local_layers.empty()) return;
  Json pattern = Json::array();
  for (const bool local : facts.local_layers) pattern.append(local);
  put("attention.sliding_window_pattern", std::move(pattern));
}

// llama.cpp multiplies what it computes for YaRN by attn_factor, and takes LongRope's as it is.
Result<void> put_scaling(const DecoderConfig& facts, const std::string& prefix, Json& metadata) {
  constexpr std::pair<Scaling, std::string_view> kNames[] = {
      {Scaling::Linear, "linear"}, {Scaling::Yarn, "yarn"}, {Scaling::LongRope, "longrope"}};
  const model::RopeScaling& scaling = facts.rope_scaling;
  // One tensor of factors says it all; llama.cpp has no key for this kind.
  if (scaling.kind == Scaling::None || rope_factors(facts).size() == 1) return {};
  const auto* name =
      std::ranges::find(kNames, scaling.kind, &std::pair<Scaling, std::string_view>::first);
  if (name == std::end(kNames)) {
    return no_gguf_key("rotary positions that change with the length of the text");
  }
  const auto put = [&](std::string_view key, Json value) {
    metadata.set(concat({prefix, "rope.scaling.", key}), as_f32(std::move(value)));
  };
  put("type", name->second);
  if (scaling.original_max_seq_len) put("original_context_length", *scaling.original_max_seq_len);
  const double magnitude = rope_magnitude(scaling, facts.max_seq_len);
  if (scaling.kind == Scaling::LongRope) {
    put("attn_factor", magnitude);
    return {};
  }
  put("factor", scaling.factor);
  if (scaling.kind == Scaling::Linear) return {};
  model::RopeScaling usual = scaling;
  usual.attention_factor.reset();
  put("yarn_beta_fast", scaling.beta_fast);
  put("yarn_beta_slow", scaling.beta_slow);
  if (scaling.attention_factor) {
    put("attn_factor", magnitude / rope_magnitude(usual, facts.max_seq_len));
  }
  return {};
}

}  // namespace

Failure no_gguf_key(std::string_view what) {
  return make_error(ErrorCode::Unsupported, "config", {"GGUF has no key for ", what});
}

Result<void> put_decoder_facts(const DecoderConfig& facts, std::string_view architecture,
                               Json& metadata) {
  AMBRY_RETURN_IF_ERROR(check_assumed(facts));
  const std::string prefix = concat({architecture, "."});
  const auto put = [&](std::string_view key, Json value) {
    metadata.set(concat({prefix, key}), as_f32(std::move(value)));
  };
  metadata.set("general.architecture", architecture);
  put("vocab_size", facts.n_vocab);
  put("context_length", facts.max_seq_len);
  put("embedding_length", facts.n_embd);
  put("block_count", facts.n_layers);
  put("feed_forward_length", facts.n_ff);
  put("attention.head_count", facts.n_heads);
  const bool has_heads_list = !facts.layer_kinds.empty() && !is_qwen35(facts);
  put("attention.head_count_kv", has_heads_list ? heads_of_layers(facts) : Json(facts.n_kv_heads));
  put(facts.norm == model::DecoderNorm::Rms ? "attention.layer_norm_rms_epsilon"
                                            : "attention.layer_norm_epsilon",
      facts.norm_eps);
  if (uint64_t{facts.head_dim} * facts.n_heads != facts.n_embd ||
      architecture.starts_with("gemma")) {
    put("attention.key_length", facts.head_dim);
    put("attention.value_length", facts.head_dim);
  }
  // A window of the whole length still tells which layers rotate and how.
  const bool is_pattern = has_pattern_key(facts) && !facts.local_layers.empty();
  if (facts.sliding_window || is_pattern) {
    put("attention.sliding_window", facts.sliding_window.value_or(facts.max_seq_len));
  }
  if (facts.positions == model::DecoderPositions::Rope) {
    put("rope.dimension_count", facts.n_rotated);
    put("rope.freq_base", facts.rope_freq_base);
  }
  put_special_facts(facts, put);
  if (has_gemma_keys(facts)) put_gemma_keys(facts, metadata);
  put_xielu(facts, metadata);
  AMBRY_RETURN_IF_ERROR(put_embedding(facts, architecture, metadata));
  return put_scaling(facts, prefix, metadata);
}

Result<void> lose_embedding_facts(const DecoderConfig& facts, const Options& options,
                                  std::vector<Error>& warnings) {
  if (facts.ranks) {
    AMBRY_RETURN_IF_ERROR(lose(options, warnings, no_gguf_key("how the model ranks documents")));
  }
  if (!facts.embedding) return {};
  const model::EmbeddingConfig& embedding = *facts.embedding;
  if (embedding.max_seq_len > 0 && embedding.max_seq_len < facts.max_seq_len) {
    warnings.push_back(make_error(ErrorCode::Unsupported, "config.embedding.max_seq_len",
                                  {"left out: cut texts to ", embedding.max_seq_len, " tokens"}));
  }
  if (!embedding.normalize) {
    AMBRY_RETURN_IF_ERROR(lose(options, warnings, no_gguf_key("vectors without normalization")));
  }
  if (!embedding.prompts.empty()) {
    AMBRY_RETURN_IF_ERROR(lose(options, warnings, no_gguf_key("prompts")));
  }
  return {};
}

Result<void> put_encoder_facts(const model::EncoderConfig& facts, const Options& options,
                               Json& metadata, std::vector<Error>& warnings) {
  constexpr std::array<std::string_view, 4> kPoolings = {"none", "mean", "cls", "lasttoken"};
  if (!facts.dense.empty()) {
    return make_error(ErrorCode::Unsupported, {"metadata.", model::kDenseActivations},
                      {"GGUF's bert has no place for dense layers after the pooling (",
                       model::dense_tensor_name(0, "weight"), "); keep the model as embd"});
  }
  const auto* pooling = std::ranges::find(kPoolings, facts.pooling);
  if (pooling == kPoolings.end() || facts.hidden_act != "gelu") {
    return no_gguf_key(pooling == kPoolings.end() ? facts.pooling : facts.hidden_act);
  }
  metadata.set("general.architecture", "bert");
  metadata.set("bert.vocab_size", facts.vocab_size);
  metadata.set("bert.context_length", facts.max_positions);
  metadata.set("bert.embedding_length", facts.hidden_size);
  metadata.set("bert.block_count", facts.num_layers);
  metadata.set("bert.feed_forward_length", facts.intermediate_size);
  metadata.set("bert.attention.head_count", facts.num_heads);
  metadata.set("bert.attention.layer_norm_epsilon", facts.layer_norm_eps);
  metadata.set("bert.attention.causal", false);
  metadata.set("bert.pooling_type",
               facts.head ? kRankPooling : static_cast<uint32_t>(pooling - kPoolings.begin()));
  if (facts.head) AMBRY_RETURN_IF_ERROR(put_gguf_head(*facts.head, options, metadata, warnings));
  if (facts.max_seq_length < facts.max_positions) {
    warnings.push_back(make_error(ErrorCode::Unsupported, "metadata.max_seq_length",
                                  {"left out: cut texts to ", facts.max_seq_length, " tokens"}));
  }
  if (!facts.normalize)
    AMBRY_RETURN_IF_ERROR(lose(options, warnings, no_gguf_key("vectors without normalization")));
  if (!facts.prompts.empty())
    AMBRY_RETURN_IF_ERROR(lose(options, warnings, no_gguf_key("prompts")));
  return {};
}

Result<void> put_general(const Json& source, const Options& options, Json& metadata) {
  for (const char* key : {"name", "model_name", "base_model"}) {
    const Json* name = source.find(key);
    if (name == nullptr || !name->is_string() || metadata.find("general.name") != nullptr) continue;
    metadata.set("general.name", name->string());
  }
  for (const auto& [key, value] : source.members()) {
    if (key.starts_with("general.") && !value.is_object() && !value.is_null()) {
      metadata.set(key, value);
    }
  }
  for (const auto& [key, value] : options.metadata) {
    if (key == "general.architecture" || key == "general.alignment") {
      return make_error(ErrorCode::BadValue, {"options.metadata.", key},
                        "the converter sets this key; it cannot be given");
    }
    metadata.set(key, value);
  }
  return {};
}

void put_file_facts(model::Model& target) {
  std::array<uint64_t, kFileTypes.size()> bytes{};
  bool quantized = false;
  for (const model::TensorEntry& tensor : target.tensors) {
    const auto* type = std::ranges::find(kFileTypes, tensor.dtype, &tensor::NumberedDType::dtype);
    if (type != kFileTypes.end()) {
      bytes[static_cast<size_t>(type - kFileTypes.begin())] += tensor.shape.count().value_or(0);
    }
    quantized |= !is_plain(tensor.dtype);
  }
  const auto largest = std::ranges::max_element(bytes) - bytes.begin();
  target.metadata.set("general.file_type", kFileTypes[static_cast<size_t>(largest)].number);
  if (quantized) target.metadata.set("general.quantization_version", 2);
}

}  // namespace ambry::convert
