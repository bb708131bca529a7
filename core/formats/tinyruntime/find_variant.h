// Which variant a file is, without a magic to say so.
#pragma once

#include <optional>

#include "base/result.h"
#include "formats/tinyruntime/layout.h"
#include "io/source.h"

namespace ambry::formats::tinyruntime {

// The variant whose header and tables add up to exactly the file; else the only one whose tables
// make sense, so that a damaged file is told what is wrong with it; else none. Asks for the header
// and one entry, and only if they look right for the tables.
[[nodiscard]] Result<std::optional<CnnVariant>> find_variant(const io::Source& source);

}  // namespace ambry::formats::tinyruntime
