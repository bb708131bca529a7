// BERT WordPiece tokenizers from vocab.txt or tokenizer.json.
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files.h"
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

// Reads the directory's tokenizer.json, else vocab.txt, with the options of tokenizer_config.json
// and special_tokens_map.json. `prefix` is the folder of the files ("" or "0_Transformer/").
[[nodiscard]] Result<model::TokenizerData> read_tokenizer(const SideFiles& files,
                                                          std::string_view prefix);

}  // namespace ambry::formats::huggingface
