#include "model/encoder/encoder_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "model/encoder/token_head.h"
#include "model/metadata/metadata_value.h"
#include "model/metadata/prompts.h"
#include "model/static_encoder/static_config.h"

namespace ambry::model {
namespace {

// The facts that follow from the tensor table.
struct ShapeFacts {
  uint32_t vocab_size = 0;
  uint32_t hidden_size = 0;
  uint32_t num_layers = 0;
  uint32_t intermediate_size = 0;
  uint32_t max_positions = 0;
  uint32_t type_vocab_size = 0;
};

uint32_t extent(const TensorEntry& tensor, size_t axis) {
  const uint64_t value = axis < tensor.shape.rank() ? tensor.shape[axis] : 0;
  return static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
}

// The N of `encoder.layer.N.…`. Returns nothing for other names.
std::optional<uint32_t> layer_index(std::string_view name) {
  constexpr std::string_view kPrefix = "encoder.layer.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  uint32_t number = 0;
  const char* end = name.data() + name.size();
  const auto [stopped, problem] = std::from_chars(name.data(), end, number);
  if (problem != std::errc() || stopped == end || *stopped != '.') return std::nullopt;
  return number;
}

// The name of the table with this role, or an empty one.
std::string table_name(const EncoderArchitecture& architecture, EncoderRole role) {
  const auto row = std::ranges::find(architecture.tensors, role, &EncoderTensorRow::role);
  return row == architecture.tensors.end() ? std::string() : concat({row->name, ".weight"});
}

ShapeFacts facts_from_shapes(const Model& model, const EncoderArchitecture& architecture) {
  ShapeFacts facts;
  const std::string words = table_name(architecture, EncoderRole::WordEmbedding);
  const std::string positions = table_name(architecture, EncoderRole::PositionEmbedding);
  const std::string types = table_name(architecture, EncoderRole::TokenTypeEmbedding);
  for (const TensorEntry& tensor : model.tensors) {
    const std::string_view name = canonical_tensor_name(tensor.name);
    if (name == words) {
      facts.vocab_size = extent(tensor, 0);
      facts.hidden_size = extent(tensor, 1);
    } else if (name == positions) {
      facts.max_positions = extent(tensor, 0);
      if (facts.hidden_size == 0) facts.hidden_size = extent(tensor, 1);
    } else if (name == types) {
      facts.type_vocab_size = extent(tensor, 0);
    } else if (name == "encoder.layer.0.intermediate.dense.bias") {
      facts.intermediate_size = extent(tensor, 0);
    }
    if (const auto layer = layer_index(name); layer && *layer < UINT32_MAX) {
      facts.num_layers = std::max(facts.num_layers, *layer + 1);
    }
  }
  return facts;
}

// The shapes do not show the number of heads. MiniLM and the smaller models have 32 dimensions a
// head; the sizes of BERT have 64.
Result<uint32_t> guess_heads(uint32_t hidden_size, io::Diagnostics& diagnostics) {
  const uint32_t per_head = hidden_size <= 384 ? 32 : 64;
  if (hidden_size == 0 || hidden_size % per_head != 0) {
    return make_error(ErrorCode::NotFound, "metadata.num_attention_heads",
                      "the file does not state the number of attention heads");
  }
  const uint32_t heads = hidden_size / per_head;
  diagnostics.warn(make_error(ErrorCode::NotFound, "metadata.num_attention_heads",
                              {"the file does not state the number of heads; assuming ", heads,
                               " heads of ", per_head, " dimensions"}));
  return heads;
}

// The architecture and the facts that the model states of it.
Result<void> read_architecture(const io::Json& metadata, EncoderConfig& config) {
  if (const auto name = metadata_text(metadata, kArchitectureKey)) {
    config.architecture = find_architecture(known_architectures(), *name);
    if (config.architecture == nullptr) {
      return metadata_error(metadata, kArchitectureKey, ErrorCode::Unsupported,
                            {"\"", *name, "\" is not supported"});
    }
  }
  config.facts = config.architecture->facts;
  for (const StatedFact& fact : config.architecture->stated) {
    AMBRY_RETURN_IF_ERROR(read_values(metadata, {fact.target(config.facts)}));
    if (fact.fits(config.facts)) continue;
    return metadata_error(metadata, fact.key(), ErrorCode::BadValue, fact.bounds());
  }
  const auto check = config.architecture->fault;
  const char* fault = check == nullptr ? nullptr : (config.facts.*check)();
  if (fault != nullptr) {
    return metadata_error(metadata, kArchitectureKey, ErrorCode::BadValue, fault);
  }
  return {};
}

Result<void> read_sizes(const Model& model, EncoderConfig& config, io::Diagnostics& diagnostics) {
  const ShapeFacts facts = facts_from_shapes(model, *config.architecture);
  const io::Json& metadata = model.metadata;
  const auto read = [&](const char* key, uint32_t fallback, uint32_t& out) -> Result<void> {
    out = fallback;
    AMBRY_RETURN_IF_ERROR(read_values(metadata, {{key, out}}));
    if (out > 0) return {};
    return has_value(metadata, key)
               ? metadata_error(metadata, key, ErrorCode::BadValue, "must be at least 1")
               : make_error(ErrorCode::NotFound, {"metadata.", key},
                            "the file does not state this, and the tensors do not show it");
  };
  AMBRY_RETURN_IF_ERROR(read("vocab_size", facts.vocab_size, config.vocab_size));
  AMBRY_RETURN_IF_ERROR(read("hidden_size", facts.hidden_size, config.hidden_size));
  AMBRY_RETURN_IF_ERROR(read("num_layers", facts.num_layers, config.num_layers));
  AMBRY_RETURN_IF_ERROR(
      read("intermediate_size", facts.intermediate_size, config.intermediate_size));
  AMBRY_RETURN_IF_ERROR(read("max_position_emb", facts.max_positions, config.max_positions));
  if (config.facts.token_types) {
    const uint32_t types =
        facts.type_vocab_size > 0 ? facts.type_vocab_size : config.type_vocab_size;
    AMBRY_RETURN_IF_ERROR(read("type_vocab_size", types, config.type_vocab_size));
  } else {
    config.type_vocab_size = facts.type_vocab_size;
    AMBRY_RETURN_IF_ERROR(read_values(metadata, {{"type_vocab_size", config.type_vocab_size}}));
  }
  if (config.num_layers > kMaxEncoderLayers) {
    return metadata_error(
        metadata, "num_layers", ErrorCode::LimitExceeded,
        {config.num_layers, " layers, but at most ", kMaxEncoderLayers, " are supported"});
  }
  AMBRY_RETURN_IF_ERROR(read_values(metadata, {{"num_attention_heads", config.num_heads}}));
  if (!has_value(metadata, "num_attention_heads")) {
    AMBRY_TRY(config.num_heads, guess_heads(config.hidden_size, diagnostics));
  }
  const bool has_head_dim = config.facts.head_dim > 0;
  if (config.num_heads == 0 || (!has_head_dim && config.hidden_size % config.num_heads != 0)) {
    return metadata_error(
        metadata, "num_attention_heads", ErrorCode::BadValue,
        {config.num_heads, " heads do not divide the width ", config.hidden_size});
  }
  if (config.kv_heads_divide()) return {};
  return metadata_error(metadata, "num_key_value_heads", ErrorCode::BadValue,
                        {config.num_heads, " is no multiple of the ", config.facts.kv_heads,
                         " heads of keys and values"});
}

// Reads the text of `key`, which must be one of `known`. Keeps the default when it is absent.
Result<void> read_choice(const io::Json& metadata, std::string_view key,
                         std::span<const std::string_view> known, std::string& out) {
  const auto text = metadata_text(metadata, key);
  if (!text) return {};
  if (std::ranges::find(known, *text) == known.end()) {
    return metadata_error(metadata, key, ErrorCode::Unsupported,
                          {"\"", *text, "\" is not supported"});
  }
  out = *text;
  return {};
}

std::span<const std::string_view> activations(bool gated) {
  // The first one only in layers that are not gated, the last one only in gated ones.
  static constexpr std::array<std::string_view, 7> kActivations = {
      "quick_gelu", "gelu", "gelu_new", "gelu_tanh", "gelu_pytorch_tanh", "relu", "silu"};
  return std::span(kActivations).subspan(gated ? 1 : 0, kActivations.size() - 1);
}

Result<void> read_behaviour(const io::Json& metadata, EncoderConfig& config) {
  static constexpr std::array<std::string_view, 5> kPoolings = {"mean", "cls", "max",
                                                                "mean_sqrt_len", "lasttoken"};
  AMBRY_RETURN_IF_ERROR(
      read_choice(metadata, "hidden_act", activations(config.facts.gated), config.hidden_act));
  AMBRY_RETURN_IF_ERROR(read_choice(metadata, "pooling_mode", kPoolings, config.pooling));
  AMBRY_RETURN_IF_ERROR(read_values(metadata, {{"layer_norm_eps", config.layer_norm_eps}}));
  if (!(config.layer_norm_eps >= 0 && config.layer_norm_eps < 1)) {
    return metadata_error(metadata, "layer_norm_eps", ErrorCode::BadValue,
                          "must be between 0 and 1");
  }
  AMBRY_RETURN_IF_ERROR(read_values(
      metadata, {{"normalize", config.normalize}, {"include_prompt", config.include_prompt}}));
  return read_prompts(metadata, config.prompts, config.default_prompt_name);
}

Result<void> read_max_seq_length(const io::Json& metadata, EncoderConfig& config,
                                 io::Diagnostics& diagnostics) {
  AMBRY_RETURN_IF_ERROR(read_values(metadata, {{"max_seq_length", config.max_seq_length}}));
  const uint32_t longest = config.max_tokens();
  if (has_value(metadata, "max_seq_length") && config.max_seq_length > longest) {
    diagnostics.warn(metadata_error(metadata, "max_seq_length", ErrorCode::BadValue,
                                    {config.max_seq_length, " is more than the model's ", longest,
                                     " positions; using the positions instead"}));
  }
  config.max_seq_length = std::min(config.max_seq_length, longest);
  if (config.max_seq_length >= 2) return {};
  return metadata_error(metadata, "max_seq_length", ErrorCode::BadValue,
                        "leaves no room for [CLS] and [SEP]");
}

}  // namespace

[[gnu::weak]] const HeadConfig* EncoderConfig::token_head() const {
  return head && head->task != HeadTask::TextClassification ? &*head : nullptr;
}

[[gnu::weak]] const LateInteraction* EncoderConfig::late_interaction() const {
  return late ? &*late : nullptr;
}

uint32_t EncoderConfig::head_outputs() const {
  const HeadConfig* of_tokens = token_head();
  const HeadTask task = of_tokens == nullptr ? HeadTask::TextClassification : of_tokens->task;
  switch (task) {
    case HeadTask::QuestionAnswering:
      return 2;
    case HeadTask::FillMask:
      return vocab_size;
    case HeadTask::Sparse:
      return of_tokens->sparse.own_words ? 1 : vocab_size;
    default:
      return static_cast<uint32_t>(head->labels.size());
  }
}

bool is_encoder_activation(std::string_view name, bool gated) {
  return std::ranges::find(activations(gated), name) != activations(gated).end();
}

Result<EncoderConfig> encoder_config(const Model& model, io::Diagnostics& diagnostics) {
  EncoderConfig config;
  if (is_static(model)) {
    return metadata_error(model.metadata, kArchitectureKey, ErrorCode::Unsupported,
                          "a static model has no transformer");
  }
  AMBRY_RETURN_IF_ERROR(read_architecture(model.metadata, config));
  AMBRY_RETURN_IF_ERROR(read_sizes(model, config, diagnostics));
  AMBRY_RETURN_IF_ERROR(read_behaviour(model.metadata, config));
  AMBRY_TRY(config.dense, dense_layers(model, config.hidden_size));
  AMBRY_TRY(config.head, head_config(model, config.architecture->head, config.hidden_size));
  AMBRY_RETURN_IF_ERROR(read_max_seq_length(model.metadata, config, diagnostics));
  AMBRY_RETURN_IF_ERROR(read_token_head(model, config));
  AMBRY_RETURN_IF_ERROR(read_late_interaction(model.metadata, config));
  return config;
}

Result<EncoderConfig> encoder_config(const Model& model) {
  io::Diagnostics unused;
  return encoder_config(model, unused);
}

}  // namespace ambry::model
