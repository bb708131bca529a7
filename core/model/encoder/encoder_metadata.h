// Writes the facts of an encoder as metadata, where every value is a string
// (core/formats/embd/README.md#model-facts). encoder_config() reads them.
#pragma once

#include "io/json/json.h"
#include "model/encoder/encoder_config.h"

namespace ambry::model {

// Writes the facts of `config` into `metadata` and replaces existing values.
void set_encoder_metadata(const EncoderConfig& config, io::Json& metadata);

}  // namespace ambry::model
