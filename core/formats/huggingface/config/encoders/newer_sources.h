// The rows of encoder_sources.h for architectures whose attention knows positions: ModernBERT, GTE,
// Jina's, DeBERTa and T5.
#pragma once

#include <array>
#include <string_view>

#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {

// Unsupported, with the key, for what changes results and is not supported.
[[nodiscard]] Result<void> read_modernbert(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_gte(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_jina_bert(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_deberta(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_t5(const FileValues& values, model::EncoderConfig& config);

// By the code that `auto_map` names and by the kind of positions.
[[nodiscard]] bool is_jina_bert(const FileValues& values);
[[nodiscard]] bool is_jina_bert_qk_norm(const FileValues& values);
[[nodiscard]] bool is_jina_v3(const FileValues& values);

namespace newer {

using Names = std::string_view;

inline constexpr std::array kModernBertTypes = {Names("modernbert")};
inline constexpr std::array kModernBertHeads = {Names("head."), Names("decoder."),
                                                Names("classifier.")};
inline constexpr std::array kGteTypes = {Names("new"), Names("gte")};
inline constexpr std::array kGteHeads = {Names("lm_head."), Names("classifier.")};
inline constexpr std::array kGteFixed = {FixedSetting{"position_embedding_type", "\"rope\""},
                                         FixedSetting{"pack_qkv", "true"},
                                         FixedSetting{"layer_norm_type", "\"layer_norm\""},
                                         FixedSetting{"logn_attention_scale", "false"}};
inline constexpr std::array kJinaTypes = {Names("bert")};
inline constexpr std::array kJinaHeads = {Names("cls.predictions."), Names("cls.seq_relationship."),
                                          Names("classifier.")};
inline constexpr std::array kJinaFixed = {FixedSetting{"position_embedding_type", "\"alibi\""},
                                          FixedSetting{"is_decoder", "false"}};
inline constexpr std::array kJinaV3Types = {Names("xlm-roberta")};
inline constexpr std::array kJinaV3Heads = {Names("lm_head.")};
inline constexpr std::array kJinaV3Fixed = {FixedSetting{"position_embedding_type", "\"rotary\""},
                                            FixedSetting{"use_reg_tokens", "false"},
                                            FixedSetting{"is_decoder", "false"}};
inline constexpr std::array kDebertaTypes = {Names("deberta-v2")};
inline constexpr std::array kDebertaHeads = {Names("lm_predictions."), Names("mask_predictions."),
                                             Names("cls.predictions."), Names("classifier.")};
inline constexpr std::array kDebertaFixed = {FixedSetting{"conv_kernel_size", "0"},
                                             FixedSetting{"z_steps", "0"},
                                             FixedSetting{"is_decoder", "false"}};
inline constexpr std::array kT5Types = {Names("t5"), Names("mt5")};
inline constexpr std::array kT5Heads = {Names("decoder."), Names("lm_head.")};
inline constexpr std::array kCounters = {Names("embeddings.position_ids"),
                                         Names("embeddings.token_type_ids"),
                                         Names("encoder.embed_tokens.")};

constexpr EncoderSource jina(const model::EncoderArchitecture& architecture,
                             bool (*accepts)(const FileValues&)) {
  return {.architecture = &architecture,
          .model_types = kJinaTypes,
          .class_prefix = "JinaBert",
          .accepts = accepts,
          .act = nullptr,
          .fixed = kJinaFixed,
          .heads_left_out = kJinaHeads,
          .counters = kCounters,
          .is_of_authors_code = true,
          .read_more = read_jina_bert};
}

}  // namespace newer

inline constexpr std::array kNewerSources = {
    EncoderSource{.architecture = &model::kModernBert,
                  .model_types = newer::kModernBertTypes,
                  .class_prefix = "ModernBert",
                  .vocab = {"vocab_size", 50368},
                  .layers = {"num_hidden_layers", 22},
                  .inner = {"intermediate_size", 1152},
                  .positions = {"max_position_embeddings", 8192},
                  .types = {nullptr, 0},
                  .eps = "norm_eps",
                  .eps_fallback = 1e-5,
                  .act = "hidden_activation",
                  .fixed = {},
                  .heads_left_out = newer::kModernBertHeads,
                  .counters = newer::kCounters,
                  .read_more = read_modernbert},
    EncoderSource{.architecture = &model::kGte,
                  .model_types = newer::kGteTypes,
                  .class_prefix = "New",
                  .vocab = {"vocab_size", 30528},
                  .positions = {"max_position_embeddings", 2048},
                  .types = {"type_vocab_size", 1},
                  .fixed = newer::kGteFixed,
                  .heads_left_out = newer::kGteHeads,
                  .counters = newer::kCounters,
                  .is_of_authors_code = true,
                  .read_more = read_gte},
    newer::jina(model::kJinaBertQkNorm, is_jina_bert_qk_norm),
    newer::jina(model::kJinaBert, is_jina_bert),
    EncoderSource{.architecture = &model::kJinaV3,
                  .model_types = newer::kJinaV3Types,
                  .class_prefix = "XLMRobertaLoRA",
                  .accepts = is_jina_v3,
                  .fixed = newer::kJinaV3Fixed,
                  .heads_left_out = newer::kJinaV3Heads,
                  .counters = newer::kCounters,
                  .is_of_authors_code = true},
    EncoderSource{.architecture = &model::kDebertaV2,
                  .model_types = newer::kDebertaTypes,
                  .class_prefix = "DebertaV2",
                  .vocab = {"vocab_size", 128100},
                  .hidden = {"hidden_size", 1536},
                  .layers = {"num_hidden_layers", 24},
                  .heads = {"num_attention_heads", 24},
                  .inner = {"intermediate_size", 6144},
                  .types = {"type_vocab_size", 0},
                  .eps_fallback = 1e-7,
                  .fixed = newer::kDebertaFixed,
                  .heads_left_out = newer::kDebertaHeads,
                  .counters = newer::kCounters,
                  .read_more = read_deberta},
    EncoderSource{.architecture = &model::kT5,
                  .model_types = newer::kT5Types,
                  .class_prefix = "T5",
                  .vocab = {"vocab_size", 32128},
                  .hidden = {"d_model", 512},
                  .layers = {"num_layers", 6},
                  .heads = {"num_heads", 8},
                  .inner = {"d_ff", 2048},
                  .positions = {"n_positions", 512},
                  .types = {nullptr, 0},
                  .eps = "layer_norm_epsilon",
                  .eps_fallback = 1e-6,
                  .act = nullptr,
                  .fixed = {},
                  .heads_left_out = newer::kT5Heads,
                  .counters = newer::kCounters,
                  .tensor = "shared.weight",
                  .second_name = "encoder.embed_tokens.weight",
                  .read_more = read_t5}};

}  // namespace ambry::formats::huggingface
