// BERT WordPiece tokenizers from vocab.txt or tokenizer.json.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// One token in each line, with the line's index as its id; the default special tokens; assumed to
// be uncased.
[[nodiscard]] Result<model::TokenizerData> parse_vocab_txt(std::string_view text);

// Accepts WordPiece with BertNormalizer and BertPreTokenizer. Anything else is Unsupported, with
// its name. Truncation and padding in the file are left over from training and are not read.
[[nodiscard]] Result<model::TokenizerData> parse_tokenizer_json(std::string_view text);

// The same for a static encoder, whose texts get no special tokens: the post-processor is not read.
[[nodiscard]] Result<model::TokenizerData> parse_static_tokenizer(std::string_view text);

}  // namespace ambry::formats::huggingface
