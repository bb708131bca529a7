// What config.json of newer families of language models states in ways of its own.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// The config of the language model within one that also sees pictures (`mistral3`): its
// `text_config`, with what only the whole model states. Any other config as it is. NotFound
// without a `text_config`.
[[nodiscard]] Result<io::Json> text_part(io::Json stated);

// Adds to AMB's `config` what a family has besides the common keys (decoder_keys.h). Unsupported
// for settings that would change the model's results.
[[nodiscard]] Result<void> read_newer_family(std::string_view model_type, const io::Json& stated,
                                             io::Json& config);

}  // namespace ambry::formats::huggingface
