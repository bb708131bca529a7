// Writes a finalfusion file of quantized vectors with dense vectors
// (core/formats/finalfusion/README.md#reconstructing). Metadata, vocabulary and norms are kept.
// Without norms, the words' rows are normalized and their lengths become the norms.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/job.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// `source` must be a finalfusion file with quantized vectors.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_reconstruction(SourceModel source);

}  // namespace ambry::convert
