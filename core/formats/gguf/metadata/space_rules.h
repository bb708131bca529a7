// Special tokens that take the white space beside them. GGUF has no key for it: llama.cpp goes by
// the names of the model, of its pre-tokenizer and of its architecture.
#pragma once

#include <vector>

#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::gguf {

// Sets `lstrip` and `rstrip` of `tokens` as llama.cpp does for a file with this metadata.
void set_space_rules(const io::Json& metadata, std::vector<model::AddedToken>& tokens);

}  // namespace ambry::formats::gguf
