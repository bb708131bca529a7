// AMB's `config.tokenizer` (core/formats/amb/README.md#tokenizer-options): what a tokenizer's
// section has no place for. Other sources of decoders state their settings in the same words on the
// way to AMB.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Overrides and completes `tokenizer`; what is absent keeps its value. `path` starts the paths of
// errors: BadValue for a value of the wrong type.
[[nodiscard]] Result<void> read_tokenizer_options(const io::Json& options, std::string_view path,
                                                  TokenizerData& tokenizer);

}  // namespace ambry::model
