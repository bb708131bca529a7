// The input of a decoder: a text or ids.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "generate/run/generator.h"
#include "io/json/json.h"

namespace ambry::api {

// Unsupported when the model has no tokenizer.
[[nodiscard]] Result<const text::Tokenizer*> need_tokenizer(const generate::Generator& runtime);

// The `ids` of `options`, else those of `text`, which is UTF-8, with the special tokens around it
// unless options have `special: false`. An empty text gives the token that starts a text. BadValue
// when there are no tokens, and with the path `prompt[i]` for an id outside the vocabulary.
[[nodiscard]] Result<std::vector<uint32_t>> prompt_ids(const generate::Generator& runtime,
                                                       std::string_view text,
                                                       const io::Json& options);

// LimitExceeded with the path `prompt` for more tokens than the context holds.
[[nodiscard]] Result<void> check_fits(const generate::Generator& runtime,
                                      const std::vector<uint32_t>& ids);

}  // namespace ambry::api
