// The input of a decoder: a text or ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/concat.h"
#include "base/result.h"
#include "generate/run/generator.h"

namespace ambry::generate {

struct Prompt {
  std::string_view text;                          // UTF-8
  bool special = true;                            // whether special tokens stand around the text
  std::optional<std::vector<uint32_t>> ids = {};  // in place of the text
};

// Unsupported when the model has no tokenizer.
[[nodiscard]] Result<const text::Tokenizer*> need_tokenizer(const Generator& generator);

// The tokens of a prompt. An empty text gives the token that starts a text. Of a text with more
// than twice `enough` tokens, more than that many are made, and perhaps not all. `path` is the path
// of errors: BadValue when there are no tokens, and with the path `<path>[i]` for an id outside the
// vocabulary.
[[nodiscard]] Result<std::vector<uint32_t>> prompt_ids(const Generator& generator,
                                                       const Prompt& prompt,
                                                       const Text& path = "prompt",
                                                       size_t enough = SIZE_MAX);

}  // namespace ambry::generate
