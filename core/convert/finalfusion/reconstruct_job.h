// Writes a finalfusion file of quantized vectors with dense ones
// (core/formats/finalfusion/README.md#reconstructing). Metadata and vocabulary stay, and norms if
// there are any; otherwise the words' rows get length 1 and their lengths become the norms.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/job.h"
#include "convert/source_model.h"

namespace ambry::convert {

// `source` is a finalfusion file with quantized vectors.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_reconstruction(SourceModel source);

}  // namespace ambry::convert
