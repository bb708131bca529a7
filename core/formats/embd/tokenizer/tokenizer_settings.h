// The tensor `tokenizer.settings`: JSON with the settings of AMB's `config.tokenizer`, and what is
// added around texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::embd {

// `text` starts at `offset` of its file. BadValue for settings of the wrong type and for ids that
// are no token's.
[[nodiscard]] Result<void> read_tokenizer_settings(std::string_view text, uint64_t offset,
                                                   model::TokenizerData& tokenizer);

// Empty if there is nothing to say.
[[nodiscard]] std::string tokenizer_settings_text(const model::TokenizerData& tokenizer);

}  // namespace ambry::formats::embd
