// Reads the scores of a tokenizer.json as Hugging Face's library does.
#pragma once

#include <string_view>

namespace ambry::model {

// The value of the JSON number at the start of `text`. The library's JSON reader does not round
// correctly: it divides all the digits, as one integer, by a power of ten, and rounds both. So the
// last bit of a score with 16 digits or more can differ from the nearest double. This decides
// between sums that are equal but for their order, as in a run of one character.
[[nodiscard]] double score_of_text(std::string_view text);

}  // namespace ambry::model
