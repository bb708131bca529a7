// Reads tiktoken's files: a line for each token, with its bytes in Base64, a space and its rank.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/tokenizer/files/tiktoken_encodings.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

struct TiktokenTokenizer {
  TokenizerData data;
  TiktokenEncoding encoding;
};

// `encoding` is what the caller asks for, or nullptr to recognise the encoding by the number of
// ranks. Its special tokens are cut out of texts, and `<|begin_of_text|>` of Meta's encodings is
// put before texts, as in the tokenizer.json of the same models. BadValue, with the line, for a
// line that is none of tiktoken's, a repeated rank or token, a rank that is left out and belongs to
// no special token, or a byte without a token; and where the file has another number of ranks than
// the encoding.
[[nodiscard]] Result<TiktokenTokenizer> parse_tiktoken(std::string_view text,
                                                       const TiktokenEncoding* encoding);

}  // namespace ambry::model
