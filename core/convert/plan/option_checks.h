// Checks of options that only some conversions have a use for.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/conversion_options.h"

namespace ambry::convert {

// Unsupported when Options::lowercase is set for another source than a directory that becomes EMBD:
// every other one says what its tokenizer does with texts, or has none.
[[nodiscard]] Result<void> check_lowercase(std::string_view from, const Options& options);
// NotFound when options.task is set for another source than a directory that becomes EMBD.
[[nodiscard]] Result<void> check_task(std::string_view from, const Options& options);
// Unsupported when options.dim is set for files that cannot be static encoders which become EMBD.
[[nodiscard]] Result<void> check_dim(std::string_view from, const Options& options);
// Unsupported when options.adapters are set for a source that is no encoder or language model with
// a format of its own.
[[nodiscard]] Result<void> check_adapters(std::string_view from, const Options& options);
// The error of options.dim for a source that is no static encoder.
[[nodiscard]] Failure cannot_be_cut();

}  // namespace ambry::convert
