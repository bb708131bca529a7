// How JavaScript says what to quantise to.
#pragma once

#include "base/result.h"
#include "convert/quantize/quantize_options.h"
#include "io/json/json.h"

namespace ambry::api {

// {type, block, scale, group, symmetric, ranges, bits, keep, keepEmbeddings, keepOutput}; all but
// `type` optional, `ranges` as api/classifier/ranges_json.h has them. BadValue
// with the path `options.…` for a value that cannot be.
[[nodiscard]] Result<convert::QuantizeOptions> read_quantize_options(const io::Json& json);

}  // namespace ambry::api
