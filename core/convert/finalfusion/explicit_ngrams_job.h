// Writes a finalfusion file whose n-grams hash into buckets with stored n-grams
// (core/formats/finalfusion/README.md#explicit-ngrams): the words' rows and one row a used bucket.
// Norms stay, quantized vectors stay quantized, metadata is left out.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/job.h"
#include "convert/source_model.h"

namespace ambry::convert {

// `source` is a finalfusion file. Unsupported for vocabularies without such buckets.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_explicit(SourceModel source);

}  // namespace ambry::convert
