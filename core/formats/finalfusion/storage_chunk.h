// Reads chunks 2, 4 and 6: only their headers. On NeedBytes, load the bytes and call it again.
#pragma once

#include "formats/finalfusion/chunk.h"
#include "model/file/model.h"

namespace ambry::formats::finalfusion {

// Adds the tensors of the chunk and its region. `reader` is after the chunk's header. Returns the
// end of the chunk.
[[nodiscard]] Result<uint64_t> read_storage(const io::Source& source, io::ByteReader& reader,
                                            const ChunkHead& head, io::Diagnostics& diagnostics,
                                            model::Model& model);
[[nodiscard]] Result<uint64_t> read_norms(const io::Source& source, io::ByteReader& reader,
                                          const ChunkHead& head, io::Diagnostics& diagnostics,
                                          model::Model& model);

}  // namespace ambry::formats::finalfusion
