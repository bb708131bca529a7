// The names and forms under which a file's metadata states an encoder's facts and its tokenizer's
// (core/formats/embd/README.md#model-facts): every value is a string.
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Sets the facts of `config` and `tokenizer` into `metadata`, replacing values that are there.
void set_encoder_metadata(const EncoderConfig& config, io::Json& metadata);
void set_tokenizer_metadata(const TokenizerData& tokenizer, io::Json& metadata);

// Reads the tokenizer's options; what is absent keeps its default. Special tokens that the file
// does not place are looked up by their text, and become added tokens unless `added_tokens` lists
// them.
[[nodiscard]] Result<void> read_tokenizer_metadata(const io::Json& metadata,
                                                   TokenizerData& tokenizer);

// Gives [PAD], [UNK], [CLS], [SEP] and [MASK] their ids by text where they have none.
void find_special_tokens(TokenizerData& tokenizer);
// The special tokens as added tokens, which are cut out of raw text.
[[nodiscard]] std::vector<AddedToken> special_added_tokens(const TokenizerData& tokenizer);

[[nodiscard]] io::Json added_tokens_to_json(const std::vector<AddedToken>& tokens);
// `[{id, content, special, lstrip, rstrip, single_word, normalized}]`, as in a tokenizer.json.
[[nodiscard]] Result<std::vector<AddedToken>> added_tokens_from_json(const io::Json& list,
                                                                     std::string_view path);

}  // namespace ambry::model
