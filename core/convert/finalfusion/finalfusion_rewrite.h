// finalfusion to finalfusion: quantizes or reconstructs the vectors, stores n-grams explicitly,
// keeps only some words, or rewrites the file without changes.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/job.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// For options that ask for `pq`, `opq` or `gaussian_opq`.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_product_quantization(const SourceFiles& sources,
                                                                      const Options& options);

// Begins what the options ask for, by default a rewrite without changes.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_finalfusion_rewrite(const SourceFiles& sources,
                                                                     const Options& options);

}  // namespace ambry::convert
