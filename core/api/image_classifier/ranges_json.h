// The ranges of a calibration run as JSON, so that they can be stored and used later:
//   {convs: [{largest, in, out}, …], linears: [the same], activations: [{low, high}, …]}
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/cnn/cnn_ranges.h"

namespace ambry::api {

[[nodiscard]] io::Json ranges_document(const model::CnnRanges& ranges);

// BadValue with the path `options.ranges…` for any other document.
[[nodiscard]] Result<model::CnnRanges> read_ranges(const io::Json& document);

}  // namespace ambry::api
