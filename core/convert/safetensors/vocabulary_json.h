// Writes vocabularies as JSON, for targets that store only text. It is built as text, because a
// tree of a million words would be many times larger.
#pragma once

#include <string>

#include "base/bytes.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/words/word_vocabulary.h"

namespace ambry::convert {

// {"kind": …, "tokens": […], "ids": […], "scores": […], "types": […], "merges": [[…, …], …],
// "added_tokens": […], "bos_id": …, …}. Empty members are left out.
[[nodiscard]] std::string tokenizer_text(const model::TokenizerData& tokenizer);

// {"kind": …, "words": […], …} with the further members of the kind.
[[nodiscard]] std::string words_text(const model::WordVocabulary& words);

[[nodiscard]] std::string base64(Bytes bytes);

}  // namespace ambry::convert
