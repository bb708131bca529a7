// Reads chunks 2, 4 and 6: heads only, never numbers. Restartable on NeedBytes.
#pragma once

#include "formats/finalfusion/chunk.h"
#include "model/model.h"

namespace ambry::formats::finalfusion {

// Add the tensors of the chunk, whose head `reader` has passed, and its region; the result is where
// it ends.
[[nodiscard]] Result<uint64_t> read_storage(const io::Source& source, io::ByteReader& reader,
                                            const ChunkHead& head, io::Diagnostics& diagnostics,
                                            model::Model& model);
[[nodiscard]] Result<uint64_t> read_norms(const io::Source& source, io::ByteReader& reader,
                                          const ChunkHead& head, io::Diagnostics& diagnostics,
                                          model::Model& model);

}  // namespace ambry::formats::finalfusion
