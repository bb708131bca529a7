// What a decoder is to read: a text or ids.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/decoder/generator_runtime.h"
#include "base/result.h"
#include "io/json/json.h"

namespace ambry::api {

// Unsupported for a model without one.
[[nodiscard]] Result<const text::Tokenizer*> need_tokenizer(const GeneratorRuntime& runtime);

// The `ids` of `options`, or else those of `text`, which is UTF-8, with the special tokens around
// it unless options say `special: false`; the token that begins a text where there would be none.
// BadValue for none at all and with the path `prompt[i]` for an id outside the vocabulary.
[[nodiscard]] Result<std::vector<uint32_t>> prompt_ids(const GeneratorRuntime& runtime,
                                                       std::string_view text,
                                                       const io::Json& options);

// LimitExceeded with the path `prompt` for more than the context holds.
[[nodiscard]] Result<void> check_fits(const GeneratorRuntime& runtime,
                                      const std::vector<uint32_t>& ids);

}  // namespace ambry::api
