// Which format the source of a conversion has.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// The id of the main source's format: from the options, else from its first bytes.
[[nodiscard]] Result<std::string_view> identify(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
