// What a file says of itself, from its headers alone.
#pragma once

#include <string>

#include "base/result.h"
#include "io/source.h"

namespace ambry::api {

// JSON of Inspection (web/src/types.ts); NeedBytes while the held parts do not suffice. Without the
// vocabulary a remote file is told by its headers and tables; sizes and special ids that only the
// vocabulary states are missing then.
[[nodiscard]] Result<std::string> inspect(const io::Source& source, bool vocabulary = true);

// JSON array of the ids of all formats that can be read.
[[nodiscard]] std::string format_ids();

// The vector instructions this build uses: `baseline` or `relaxed`.
[[nodiscard]] std::string simd_flavour();

}  // namespace ambry::api
