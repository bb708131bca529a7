// Quantizes the vectors of a finalfusion file (core/formats/finalfusion/README.md#quantizing): one
// pass over the rows for their norms and a sample, training, and a pass that writes codes.
// Metadata, vocabulary and norms stay.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/job.h"
#include "convert/options.h"
#include "convert/source_model.h"

namespace ambry::convert {

// Memory: at most kSampleBytes of rows unless options.sample says otherwise, four bytes a row, and
// for a projection 50 bytes for each of its numbers.
inline constexpr uint64_t kSampleBytes = uint64_t{64} << 20;

// `source` is a finalfusion file with dense vectors.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_quantizing(SourceModel source,
                                                            const VectorOptions& options);

}  // namespace ambry::convert
