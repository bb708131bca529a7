// Vocabularies as JSON texts, for targets that hold texts only. Built as text: a tree of a million
// words would be many times their size.
#pragma once

#include <string>

#include "base/bytes.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/words/word_vocabulary.h"

namespace ambry::convert {

// {"kind": …, "tokens": […], "ids": […], "scores": […], "types": […], "merges": [[…, …], …],
// "added_tokens": […], "bos_id": …, …}; what is empty is left out.
[[nodiscard]] std::string tokenizer_text(const model::TokenizerData& tokenizer);

// {"kind": …, "words": […], …} with what the kind has beyond words.
[[nodiscard]] std::string words_text(const model::WordVocabulary& words);

[[nodiscard]] std::string base64(Bytes bytes);

}  // namespace ambry::convert
