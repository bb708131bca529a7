// What a conversion did to the numbers, as JavaScript gets it (ConversionReport in
// web/src/types.ts).
#pragma once

#include "convert/quantize/report.h"
#include "io/json/json.h"

namespace ambry::api {

// {bytesBefore, bytes, tensors: [{name, from, to, bytesBefore, bytes, maxAbsError, relativeError,
// cosine}]}; of quantized word vectors also vectors: {rows, cosine: {mean, deviation}, distance:
// {mean, deviation}}; null for none.
[[nodiscard]] io::Json conversion_report(const convert::Report* report);

}  // namespace ambry::api
