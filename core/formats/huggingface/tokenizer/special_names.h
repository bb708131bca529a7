// The special tokens that tokenizer_config.json and special_tokens_map.json name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// The text of `"cls_token": "[CLS]"` or `{"content": "[CLS]", …}`. Empty if there is none.
[[nodiscard]] std::string special_name(const io::Json& options, std::string_view key);

// The id of a token of the vocabulary or of `added`. A repeated text belongs to its last id.
[[nodiscard]] std::optional<uint32_t> find_token(const model::TokenizerData& tokenizer,
                                                 const std::vector<model::AddedToken>& added,
                                                 std::string_view text);

// Sets the ids of the special tokens that `options` names. `added` are the added tokens. BPE keeps
// the unknown token of its model, because the library's model does not know another.
void read_special_names(const io::Json& options, const std::vector<model::AddedToken>& added,
                        model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
