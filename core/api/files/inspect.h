// What a file states about itself in its headers.
#pragma once

#include <string>

#include "base/result.h"
#include "io/source.h"

namespace ambry::api {

// JSON of Inspection (web/src/entries/types.ts). NeedBytes while bytes are missing. Without the
// vocabulary, only the headers and tables of a remote file are read; sizes and special ids that
// only the vocabulary states are then missing.
[[nodiscard]] Result<std::string> inspect(const io::Source& source, bool vocabulary = true);

// JSON array of the ids of all formats that can be read.
[[nodiscard]] std::string format_ids();

// The vector instructions this build uses: `baseline` or `relaxed`.
[[nodiscard]] std::string simd_flavour();

}  // namespace ambry::api
