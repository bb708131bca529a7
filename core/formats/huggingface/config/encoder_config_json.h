// Reads the config.json of a sentence encoder.
#pragma once

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/encoder_config.h"

namespace ambry::formats::huggingface {

// Sets the architecture, the sizes and the facts. Unsupported, with the key, for an unknown
// architecture and for any setting that would change the model's results.
[[nodiscard]] Result<void> read_encoder_config(const FileValues& values,
                                               model::EncoderConfig& config);

}  // namespace ambry::formats::huggingface
