// BERT WordPiece tokenizers from vocab.txt or tokenizer.json.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// One token in each line, with the line's index as its id; the default special tokens; assumed to
// be uncased.
[[nodiscard]] Result<model::TokenizerData> parse_vocab_txt(std::string_view text);

// Accepts WordPiece with BertNormalizer and BertPreTokenizer. Anything else is Unsupported, with
// its name. Truncation and padding in the file are left over from training and are not read.
[[nodiscard]] Result<model::TokenizerData> parse_tokenizer_json(std::string_view text);

// The WordPiece tokenizer of a parsed tokenizer.json, without the post-processor.
[[nodiscard]] Result<model::TokenizerData> read_wordpiece_json(const io::Json& root);

}  // namespace ambry::formats::huggingface
