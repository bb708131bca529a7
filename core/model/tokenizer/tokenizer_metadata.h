// Reads and writes an encoder's tokenizer as metadata, where every value is a string
// (core/formats/embd/README.md#model-facts), and added tokens as JSON.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Writes the facts of `tokenizer` into `metadata` and replaces existing values.
void set_tokenizer_metadata(const TokenizerData& tokenizer, io::Json& metadata);

// Reads WordPiece's options. Absent options keep their defaults. Special tokens without an id
// are looked up by their text. They become added tokens unless `added_tokens` lists some.
[[nodiscard]] Result<void> read_tokenizer_metadata(const io::Json& metadata,
                                                   TokenizerData& tokenizer);

// Looks up the ids of [PAD], [UNK], [CLS], [SEP] and [MASK] by text, where they are not set.
void find_special_tokens(TokenizerData& tokenizer);
// The special tokens as added tokens, which are cut out of raw text.
[[nodiscard]] std::vector<AddedToken> special_added_tokens(const TokenizerData& tokenizer);

[[nodiscard]] io::Json added_tokens_to_json(const std::vector<AddedToken>& tokens);
// Reads `[{id, content, special, lstrip, rstrip, single_word, normalized}]`, as in tokenizer.json.
[[nodiscard]] Result<std::vector<AddedToken>> added_tokens_from_json(const io::Json& list,
                                                                     std::string_view path);

}  // namespace ambry::model
