// The rows of encoder_sources.h for encoders of the last years and small ones: EuroBERT.
#pragma once

#include <array>
#include <string_view>

#include "formats/huggingface/config/encoder_sources.h"
#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {

// Unsupported, with the key, for what changes results and is not supported. BadValue for heads that
// do not go together.
[[nodiscard]] Result<void> read_eurobert(const FileValues& values, model::EncoderConfig& config);

namespace recent {

using Names = std::string_view;

inline constexpr std::array kEuroBertTypes = {Names("eurobert"), Names("jina_embeddings_v5")};
inline constexpr std::array kEuroBertHeads = {Names("lm_head."), Names("dense.")};
inline constexpr std::array kEuroBertFixed = {FixedSetting{"rope_scaling", "null"},
                                              FixedSetting{"is_decoder", "false"}};

}  // namespace recent

inline constexpr std::array kRecentSources = {
    EncoderSource{.architecture = &model::kEuroBert,
                  .model_types = recent::kEuroBertTypes,
                  .class_prefix = "EuroBert",
                  .vocab = {"vocab_size", 128256},
                  .positions = {"max_position_embeddings", 8192},
                  .types = {nullptr, 0},
                  .eps = "rms_norm_eps",
                  .eps_fallback = 1e-5,
                  .act_fallback = "silu",
                  .fixed = recent::kEuroBertFixed,
                  .heads_left_out = recent::kEuroBertHeads,
                  .counters = {},
                  .is_of_authors_code = true,
                  .read_more = read_eurobert}};

}  // namespace ambry::formats::huggingface
