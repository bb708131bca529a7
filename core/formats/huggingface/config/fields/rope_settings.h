// The settings of rotation that transformers 5 writes: the object `rope_parameters`.
#pragma once

#include <initializer_list>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/architectures/encoder_facts.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {

// Reads the base, and `more` values, of an object for all layers, where there is one. Unsupported
// for another rope_type than "default", BadValue for a base outside 1 to 1e12.
[[nodiscard]] Result<void> read_rope_settings(const FileValues& values, model::EncoderFacts& facts,
                                              std::initializer_list<model::ValueTarget> more = {});

}  // namespace ambry::formats::huggingface
