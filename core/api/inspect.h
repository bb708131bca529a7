// What a file says of itself, from its headers alone.
#pragma once

#include <string>

#include "base/result.h"
#include "io/source.h"

namespace ambry::api {

// JSON of Inspection (web/src/types.ts); NeedBytes while the held parts do not suffice.
[[nodiscard]] Result<std::string> inspect(const io::Source& source);

// JSON array of the ids of all formats that can be read.
[[nodiscard]] std::string format_ids();

// The vector instructions this build uses: `baseline` or `relaxed`.
[[nodiscard]] std::string simd_flavour();

}  // namespace ambry::api
