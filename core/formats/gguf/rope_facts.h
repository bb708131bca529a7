// What GGUF states of rotation.
#pragma once

#include <string_view>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Adds the rotated share of a head, if it is not all of it.
void add_rotation(const model::Model& model, io::Json& config);

// Adds how the rotation is scaled. gguf_decoder.cpp reads LongRope.
void add_scaling(const model::Model& model, io::Json& config);

}  // namespace ambry::formats::gguf
