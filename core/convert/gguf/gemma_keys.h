// GGUF's keys of gemma3n and gemma4.
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {

// Whether the architecture has keys of its own here.
[[nodiscard]] bool has_gemma_keys(const model::DecoderConfig& facts);

// Unsupported for what llama.cpp has no key for, or reads no key of.
[[nodiscard]] Result<void> check_gemma_keys(const model::DecoderConfig& facts);

// Replaces and adds keys `<architecture>.…` to those that all decoders have.
void put_gemma_keys(const model::DecoderConfig& facts, io::Json& metadata);

}  // namespace ambry::convert
