// Merges LoRA adapters into the tensors that a conversion writes: each weight gets the products of
// all adapters that change it. A quantized weight is decoded, and coded again in its own type.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// Changes `plan`, which is a conversion of `sources` from this format. Does nothing without
// adapters (Options::adapters). Errors name the adapter's file, its tensor and the byte: NotFound
// for a weight that the base does not have, Mismatch for one of another shape and for another
// architecture, Unsupported where the base cannot take the change.
[[nodiscard]] Result<void> merge_adapters(const SourceFiles& sources, std::string_view from,
                                          const Options& options, Plan& plan);

}  // namespace ambry::convert
