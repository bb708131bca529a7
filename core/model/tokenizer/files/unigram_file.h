// A tokenizer.json with a Unigram model in parts: the pieces, their scores, the map of characters,
// and the rest of the file. EMBD stores it so, because the parts are smaller than their JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

struct UnigramFile {
  io::Json root;  // the file without its pieces and without the bytes of the map
  Vocabulary pieces;
  std::vector<double> scores;
  std::string charsmap;  // decoded; empty if the normalizer has no Precompiled step
};

// Takes a tokenizer.json apart. BadValue when the pieces are no list of texts and scores, or when
// the map is not base64. Unsupported for another model, and for two maps.
[[nodiscard]] Result<UnigramFile> read_unigram_file(std::string_view text);

// The tokenizer of kind Unigram that consists of these parts. Its `payload` is the rest as JSON.
[[nodiscard]] TokenizerData unigram_tokenizer(UnigramFile file);

// Makes the tokenizer lower-case texts before its other steps.
[[nodiscard]] Result<void> lower_unigram_texts(TokenizerData& data);

// Takes such a tokenizer apart again. The pieces, scores and map move out of `data`. Errors about
// the payload start at its `payload_offset`.
[[nodiscard]] Result<UnigramFile> open_unigram(TokenizerData& data);

}  // namespace ambry::model
