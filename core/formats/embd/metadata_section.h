// Reads the metadata section of layout F0: keys and values, all of them text.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/json/json.h"
#include "io/source.h"

namespace ambry::formats::embd {

// The section of `size` bytes at `offset`, as an object in file order. Each value has its offset.
[[nodiscard]] Result<io::Json> read_metadata_section(const io::Source& source, uint64_t offset,
                                                     uint64_t size, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::embd
