// Whether a vocabulary is uncased, where its file does not say so. A vocab.txt lists tokens only,
// and uncased and cased models need different texts.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Sets what a caller says. BadValue, with `path`, when the tokenizer's own files state it.
[[nodiscard]] Result<void> set_lowercase(std::optional<bool> lowercase, std::string_view path,
                                         TokenizerData& tokenizer);

// The warning about a tokenizer that is only assumed to be uncased. `file` is the name of its file.
[[nodiscard]] Failure assumed_uncased(std::string_view file);

}  // namespace ambry::model
