// Reads JavaScript's options of a quantization.
#pragma once

#include "base/result.h"
#include "convert/plan/quantization_options.h"
#include "io/json/json.h"

namespace ambry::api {

// {type, block, scale, group, symmetric, ranges, bits, keep, keepEmbeddings, keepOutput}. Only
// `type` is required. `ranges` are as in api/image_classifier/ranges_json.h. BadValue with the path
// `options.…` for invalid values.
[[nodiscard]] Result<convert::QuantizeOptions> read_quantize_options(const io::Json& json);

}  // namespace ambry::api
