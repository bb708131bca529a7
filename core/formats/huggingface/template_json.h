// Reads the special tokens that a tokenizer.json's TemplateProcessing adds to a single text.
#pragma once

#include "formats/huggingface/decoder_tokenizer.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// Sets add_bos and add_eos: whether texts start and end with a special token. The token becomes bos
// or eos if the template gives its id. Without a template, nothing is set.
void read_template(const io::Json& root, DecoderTokenizer& made);

}  // namespace ambry::formats::huggingface
