// Finds the variant of a file. There is no magic.
#pragma once

#include <optional>

#include "base/result.h"
#include "formats/tinyruntime/tinyruntime_layout.h"
#include "io/source.h"

namespace ambry::formats::tinyruntime {

// The variant whose header and tables give exactly the file's size; else the only variant with
// valid tables, so that the faults of a damaged file can be reported; else none. Requests the
// header and one entry, and the tables only if these look right.
[[nodiscard]] Result<std::optional<CnnVariant>> find_variant(const io::Source& source);

}  // namespace ambry::formats::tinyruntime
