// GGUF to AMB, ALT and EMBD: names, orders of rows and facts as the target knows them, codes and
// scales as they are.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"

namespace ambry::convert {

[[nodiscard]] Result<Plan> plan_amb_from_gguf(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_alt_from_gguf(const SourceFiles& sources, const Options& options);
[[nodiscard]] Result<Plan> plan_embd_from_gguf(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
