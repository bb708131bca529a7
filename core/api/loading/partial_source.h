// The file that JavaScript fills with the bytes that parsers ask for.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/source.h"

namespace ambry::api {

using io::PartialSource;

// Says that the source is several files, one after another. `ends` is JSON of where each ends.
// BadValue for other ends than those of the source.
[[nodiscard]] Result<void> join(PartialSource& source, std::string_view ends);

}  // namespace ambry::api
