#include "formats/huggingface/config/encoders/recent_sources.h"

#include "formats/huggingface/config/fields/rope_settings.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {

using model::EncoderConfig;

Result<void> read_eurobert(const FileValues& values, EncoderConfig& config) {
  // Only Qwen3's config has this key. Jina's models of both kinds have one type.
  if (values.json().find("max_window_layers") != nullptr) {
    return values.fail(
        "model_type", ErrorCode::Unsupported,
        "this model is made of Qwen3; those that are made of EuroBERT are supported");
  }
  model::EncoderFacts& facts = config.facts;
  if (facts.kv_heads == 0) facts.kv_heads = config.num_heads;
  if (!config.kv_heads_divide()) {
    return values.fail("num_key_value_heads", ErrorCode::BadValue,
                       {config.num_heads, " heads are no multiple of ", facts.kv_heads,
                        " heads of keys and values"});
  }
  const uint32_t heads = config.num_heads;
  if (facts.head_dim == 0 && heads > 0 && config.hidden_size % heads == 0) {
    facts.head_dim = config.hidden_size / heads;
  }
  return read_rope_settings(values, facts);
}

// The layers are two thirds as wide as the config states, rounded up to a multiple of 8.
Result<void> read_neobert(const FileValues& /*values*/, EncoderConfig& config) {
  const uint64_t width = (uint64_t{2} * config.intermediate_size / 3 + 7) / 8 * 8;
  config.intermediate_size = static_cast<uint32_t>(width);
  return {};
}

Result<void> read_roformer(const FileValues& /*values*/, EncoderConfig& config) {
  if (config.facts.embedding_size == 0) config.facts.embedding_size = config.hidden_size;
  return {};
}

bool has_nomic_experts(const FileValues& values) {
  const io::Json* every = values.json().find("moe_every_n_layers");
  return every != nullptr && every->is_number() && every->number() > 0;
}

Result<void> read_nomic_moe(const FileValues& values, EncoderConfig& config) {
  if (const char* fault = config.facts.experts_fault()) {
    return values.fail("moe_top_k", ErrorCode::BadValue, fault);
  }
  return read_nomic_sizes(values, config);
}

// Heads divide what is within a layer.
Result<void> read_mobilebert(const FileValues& values, EncoderConfig& config) {
  model::EncoderFacts& facts = config.facts;
  if (config.num_heads == 0 || facts.narrow_size % config.num_heads != 0) {
    return values.fail(
        "num_attention_heads", ErrorCode::BadValue,
        {config.num_heads, " heads do not divide the intra_bottleneck_size ", facts.narrow_size});
  }
  facts.head_dim = facts.narrow_size / config.num_heads;
  return {};
}

}  // namespace ambry::formats::huggingface
