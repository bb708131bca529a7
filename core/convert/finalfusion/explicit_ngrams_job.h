// Writes a finalfusion file with hashed n-grams as one with stored n-grams
// (core/formats/finalfusion/README.md#explicit-ngrams): the words' rows, and one row for each used
// bucket. Norms and quantization are kept; metadata is left out.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/job.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// `source` must be a finalfusion file. Unsupported for vocabularies without buckets.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_explicit(SourceModel source);

}  // namespace ambry::convert
