// The report of a conversion's effect on the values (ConversionReport in web/src/entries/types.ts).
#pragma once

#include "convert/plan/report.h"
#include "io/json/json.h"

namespace ambry::api {

// {bytesBefore, bytes, tensors: [{name, from, to, bytesBefore, bytes, maxAbsError, relativeError,
// cosine}]}. Quantized word vectors also have vectors: {rows, cosine: {mean, deviation}, distance:
// {mean, deviation}}. Null when there is no report.
[[nodiscard]] io::Json conversion_report(const convert::Report* report);

}  // namespace ambry::api
