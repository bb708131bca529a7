// Checks the target that a plan describes, before anything is written: what a conversion writes
// must be valid.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"

namespace ambry::convert {

// The first error that the target's own reader would find; a warning for a file that is rewritten,
// which is no better than its source. Calls Options::inspect_target with the model as that reader
// sees it, and puts it in Options::target.
[[nodiscard]] Result<void> check_target(Plan& plan, std::string_view format,
                                        const Options& options);

}  // namespace ambry::convert
