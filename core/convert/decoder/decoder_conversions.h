// Converts decoder language models to AMB and ALT: from Hugging Face directories, AMB, ALT and
// llama2.c checkpoints.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// On NeedBytes, load the bytes and call the function again.
[[nodiscard]] Result<Plan> plan_amb_from_directory(const SourceFiles& sources,
                                                   const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_directory(const SourceFiles& sources,
                                                   const Options& options);
[[nodiscard]] Result<Plan> plan_amb_from_alt(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_amb(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_amb_from_llama2c(const SourceFiles& sources,
                                                 const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_llama2c(const SourceFiles& sources,
                                                 const Options& options);

// Plans a file of the source's own format: with another element type or metadata, or rewritten.
[[nodiscard]] Result<Plan> plan_amb_from_amb(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_alt(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
