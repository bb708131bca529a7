// What a tokenizer.json's TemplateProcessing puts around a single text.
#pragma once

#include "formats/huggingface/decoder_tokenizer.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// Sets add_bos and add_eos: whether texts start and end with a special token. It becomes bos or eos
// where the template gives its id. Without a template nothing is set.
void read_template(const io::Json& root, DecoderTokenizer& made);

}  // namespace ambry::formats::huggingface
