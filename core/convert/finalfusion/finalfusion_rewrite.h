// finalfusion to finalfusion: the vectors quantized or reconstructed, the n-grams stored one by
// one, some words only, or everything as it is.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/job.h"
#include "convert/options.h"
#include "convert/source_files.h"

namespace ambry::convert {

// For options that ask for `pq`, `opq` or `gaussian_opq`.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_product_quantization(const SourceFiles& sources,
                                                                      const Options& options);

// What the options ask for; as it is when they ask for nothing.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_finalfusion_rewrite(const SourceFiles& sources,
                                                                     const Options& options);

}  // namespace ambry::convert
