// Reads the vocabulary section of layout F0. The specification leaves open where the special ids
// are and where their offset is counted from, so both readings are supported
// (README.md#special-ids).
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::embd {

// Reads the tokens and special ids of the section of `size` bytes at `offset`. Without the
// vocabulary, only the section's header and its special ids are requested.
[[nodiscard]] Result<model::TokenizerData> read_vocabulary_section(
    const io::Source& source, uint64_t offset, uint64_t size, io::Diagnostics& diagnostics,
    const model::ReadOptions& options);

}  // namespace ambry::formats::embd
