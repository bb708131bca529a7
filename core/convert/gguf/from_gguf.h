// Converts GGUF to AMB, ALT and EMBD: with the target's names, row order and facts, and with the
// same codes and scales.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

[[nodiscard]] Result<Plan> plan_amb_from_gguf(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_gguf(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_embd_from_gguf(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
