// The sources of decoder language models: Hugging Face directories, AMB, ALT, and llama2.c's
// checkpoints, as AMB and ALT.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"

namespace ambry::convert {

// Restartable, all of them.
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

// Another element type or other metadata; or a rewrite.
[[nodiscard]] Result<Plan> plan_amb_from_amb(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_alt(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
