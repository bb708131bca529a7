// Puts the tokens of texts into a template, and cuts them to a maximum length.
#pragma once

#include <cstddef>

#include "model/tokenizer/post_processor.h"
#include "text/unicode/encoding.h"

namespace ambry::text {

// How many tokens of each text are kept.
struct TextLengths {
  size_t first = 0;
  size_t second = 0;
};

// LongestFirst truncation: the longer text is cut and the shorter one stays whole. When both are
// longer than half of the room, each gets half, and the longer one gets the odd token. The room is
// max_length less the special tokens of the template.
[[nodiscard]] TextLengths kept_lengths(const TextLengths& full, const model::Template& parts,
                                       const EncodeOptions& options);

// The tokens of a text, or of a pair, with the special tokens around them. `full_length` counts all
// tokens of `first` and `second`, of which `kept` are used.
[[nodiscard]] Encoding fill_template(const model::Template& parts, const Encoding& first,
                                     const Encoding& second, const TextLengths& kept,
                                     bool add_special);

}  // namespace ambry::text
