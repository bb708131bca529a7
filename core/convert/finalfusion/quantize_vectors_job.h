// Quantizes the vectors of a finalfusion file (core/formats/finalfusion/README.md#quantizing): a
// pass over the rows for their norms and a sample, the training, and a pass that writes codes.
// Metadata, vocabulary and norms are kept.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/job.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Memory: at most kSampleBytes of rows unless options.sample says otherwise, four bytes a row, and
// 50 bytes for each value of a projection.
inline constexpr uint64_t kSampleBytes = uint64_t{64} << 20;

// `source` must be a finalfusion file with dense vectors.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_quantizing(SourceModel source,
                                                            const VectorOptions& options);

}  // namespace ambry::convert
