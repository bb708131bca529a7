// What SigLIP's tokenizer does with texts: they become lower case and lose ASCII punctuation, as in
// the training of the model.
#pragma once

#include "io/json/json.h"

namespace ambry::formats::huggingface {

inline constexpr const char* kSiglipTokenizer = "SiglipTokenizer";

// The normalizer of a tokenizer.json that does so. `map`: the pieces have a map of characters.
[[nodiscard]] io::Json siglip_normalizer(bool map);

}  // namespace ambry::formats::huggingface
