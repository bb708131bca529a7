// Which model a tokenizer.json has.
#pragma once

#include <string_view>

#include "io/json/json.h"

namespace ambry::model {

// The `type` of the file's model. Older files do not state it. Then the fields decide, in the order
// in which Hugging Face's library tries them: BPE has merges, WordPiece a prefix and a length of
// words, WordLevel only an unknown token, Unigram a list as its vocabulary. Empty when no model
// fits.
[[nodiscard]] std::string_view tokenizer_model_type(const io::Json& root);

}  // namespace ambry::model
