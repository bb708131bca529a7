// What a sentence-transformers directory says of its vectors beside the modules: the pooling and
// the prompts.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/huggingface/side_files.h"
#include "model/encoder/encoder_config.h"

namespace ambry::formats::huggingface {

// Reads the `config.json` of the Pooling module, `name`. Unsupported for no pooling, for several at
// once and for an unknown one; Mismatch for another width than config.hidden_size.
[[nodiscard]] Result<void> read_pooling(const SideFiles& files, const std::string& name,
                                        model::EncoderConfig& config);

// Reads `config_sentence_transformers.json`, if there is one.
[[nodiscard]] Result<void> read_prompts(const SideFiles& files, model::EncoderConfig& config);

}  // namespace ambry::formats::huggingface
