// The ids of added tokens as Hugging Face's library gives them.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// Sets the ids of `tokens`, which were read from `list`: a token of the vocabulary has its id
// there, and any other the next free id. BadValue where the file states another one for the latter:
// the library would not take the id that the model was trained with. `ids` are those of the
// vocabulary, or empty if its positions are the ids.
[[nodiscard]] Result<void> resolve_added_ids(const Vocabulary& vocabulary,
                                             const std::vector<uint32_t>& ids, const io::Json& list,
                                             std::string_view path,
                                             std::vector<AddedToken>& tokens);

}  // namespace ambry::model
