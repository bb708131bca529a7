// What config.json of Gemma 3n and Gemma 4 states about their layers.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// Whether the model_type has a config of this kind.
[[nodiscard]] bool has_gemma_layers(std::string_view model_type);

// Adds AMB's keys (core/formats/amb/README.md#gemma-layers) to `config`, which has those that all
// models have, with the library's values where the file has none. Unsupported for experts, for
// attention to later tokens, and for layers that differ otherwise than these models do.
[[nodiscard]] Result<void> read_gemma_layers(std::string_view model_type, const io::Json& stated,
                                             io::Json& config);

}  // namespace ambry::formats::huggingface
