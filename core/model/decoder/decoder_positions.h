// How a decoder knows the places of tokens, and how many it can see.
#pragma once

#include "base/result.h"
#include "io/diagnostics.h"
#include "model/decoder/config_fields.h"
#include "model/decoder/decoder_config.h"
#include "model/file/model.h"

namespace ambry::model {

// Reads positions, rotation, the context and windows into `config`, whose sizes, heads and layers
// have been read. `table` is the embedding of positions, or null. Warns where the length of the
// context is assumed.
[[nodiscard]] Result<void> read_positions(const ConfigFields& fields, const TensorEntry* table,
                                          io::Diagnostics& diagnostics, DecoderConfig& config);

}  // namespace ambry::model
