// Reads what a tokenizer.json's post-processor adds to texts.
#pragma once

#include "base/result.h"
#include "formats/huggingface/tokenizer/decoder_tokenizer.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// Sets the tokenizer's post-processor. Where it adds at most one token on each side of a text, the
// tokens also become bos and eos, and add_bos and add_eos say whether they are added.
[[nodiscard]] Result<void> read_template(const io::Json& root, DecoderTokenizer& made);

}  // namespace ambry::formats::huggingface
