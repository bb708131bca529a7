// Reads tekken.json, in which Mistral publishes tokenizers: tokens in Base64 by rank, special
// tokens before them, and the expression that splits texts.
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Whether the document is a tekken.json.
[[nodiscard]] bool is_tekken(const io::Json& root);

// The id of a token is its rank and the number of special tokens together. `<s>` is put before
// texts, and special tokens are cut out of them, as in the tokenizer.json of the same models.
// Unsupported for an unknown expression, BadValue for values that do not fit each other.
[[nodiscard]] Result<TokenizerData> parse_tekken(const io::Json& root);

}  // namespace ambry::model
