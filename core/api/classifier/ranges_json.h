// The ranges that a calibration run saw, as JSON, so that they can be kept and used again:
//   {convs: [{largest, in, out}, …], linears: [the same], activations: [{low, high}, …]}
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::api {

[[nodiscard]] io::Json ranges_document(const model::CnnRanges& ranges);

// BadValue with the path `options.ranges…` for what is no such document.
[[nodiscard]] Result<model::CnnRanges> read_ranges(const io::Json& document);

}  // namespace ambry::api
