// What llama.cpp takes for granted of each architecture, since GGUF has no key for it.
#pragma once

#include "base/result.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {

// Whether llama.cpp takes a list of the layers with a window for this architecture.
[[nodiscard]] bool has_pattern_key(const model::DecoderConfig& facts);

// Whether GGUF states the width of experts apart from that of other feed-forward layers.
[[nodiscard]] bool has_expert_width(const model::DecoderConfig& facts);

// Granite and its hybrids, with and without experts.
[[nodiscard]] bool is_granite(const model::DecoderConfig& facts);

// Qwen3.5, with and without experts.
[[nodiscard]] bool is_qwen35(const model::DecoderConfig& facts);

// Unsupported for a property that differs from what llama.cpp assumes.
[[nodiscard]] Result<void> check_assumed(const model::DecoderConfig& facts);

}  // namespace ambry::convert
