// What changes when a model with state spaces becomes GGUF: its keys, and the values of tensors for
// which GGUF has no key.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "io/json/json.h"
#include "model/decoder/decoder_config.h"

namespace ambry::convert {

// Unsupported for what llama.cpp assumes otherwise. Nothing for other models.
[[nodiscard]] Result<void> check_state_spaces(const model::DecoderConfig& facts);

// Calls put(key, value) with the architecture's keys.
void put_state_spaces(const model::DecoderConfig& facts,
                      const std::function<void(std::string_view, io::Json)>& put);

// How the values of a tensor change, by the pattern of its name in GGUF: decays are stored as they
// are used, and falcon_h1's factors are part of its matrices. Nothing to apply for others.
[[nodiscard]] RowChange state_space_change(const model::DecoderConfig& facts,
                                           std::string_view pattern);

}  // namespace ambry::convert
