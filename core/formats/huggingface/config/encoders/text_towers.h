// The half of CLIP and SigLIP that embeds texts: what config.json says of it, of the whole model or
// of this half alone.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/side_files/file_values.h"
#include "io/json/json.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// The settings of the half for texts, with the model_type of that half. Nothing for a config.json
// of another model, and for one of this half alone.
[[nodiscard]] std::optional<io::Json> text_half(const io::Json& config);

// Reads which token ends texts or fills them, for models that need it. Unsupported for a tokenizer
// of SigLIP that fills texts from the left or does not make them lower case. NotFound for a
// tokenizer without such a token.
[[nodiscard]] Result<void> read_tower_tokens(const SideFiles& files, const std::string& folder,
                                             const model::TokenizerData& tokenizer,
                                             model::EncoderConfig& config);

// Unsupported, with the key, for what changes results and is not supported.
[[nodiscard]] Result<void> read_clip_text(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_siglip_text(const FileValues& values, model::EncoderConfig& config);

// Names of the layer after the pooling.
inline constexpr std::string_view kClipProjection = "text_projection";
inline constexpr std::string_view kSiglipProjection = "text_model.head";

namespace towers {

using Names = std::string_view;

inline constexpr std::array kClipTypes = {Names("clip"), Names("clip_text_model")};
inline constexpr std::array kSiglipTypes = {Names("siglip"), Names("siglip_text_model"),
                                            Names("siglip2"), Names("siglip2_text_model")};
inline constexpr std::array kCounters = {Names("text_model.embeddings.position_ids")};

}  // namespace towers

inline constexpr std::array kTowerSources = {
    EncoderSource{.architecture = &model::kClipText,
                  .model_types = towers::kClipTypes,
                  .class_prefix = "CLIPText",
                  .vocab = {"vocab_size", 49408},
                  .hidden = {"hidden_size", 512},
                  .heads = {"num_attention_heads", 8},
                  .inner = {"intermediate_size", 2048},
                  .positions = {"max_position_embeddings", 77},
                  .types = {nullptr, 0},
                  .eps_fallback = 1e-5,
                  .act_fallback = "quick_gelu",
                  .fixed = {},
                  .heads_left_out = {},
                  .counters = towers::kCounters,
                  .pools_by_itself = true,
                  .read_more = read_clip_text},
    EncoderSource{.architecture = &model::kSiglipText,
                  .model_types = towers::kSiglipTypes,
                  .class_prefix = "SiglipText",
                  .vocab = {"vocab_size", 32000},
                  .positions = {"max_position_embeddings", 64},
                  .types = {nullptr, 0},
                  .eps_fallback = 1e-6,
                  .act_fallback = "gelu_pytorch_tanh",
                  .fixed = {},
                  .heads_left_out = {},
                  .counters = towers::kCounters,
                  .pools_by_itself = true,
                  .read_more = read_siglip_text}};

}  // namespace ambry::formats::huggingface
