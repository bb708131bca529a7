// Reads chunks 1, 3, 7, 8 and 9. On NeedBytes, load the bytes and call it again.
#pragma once

#include <vector>

#include "formats/finalfusion/chunk.h"
#include "model/file/model.h"

namespace ambry::formats::finalfusion {

// Reads the chunk into `model.words`, whose `any_bytes` the caller has set, and adds its parts to
// `model.regions`. Returns its end. Without `options.vocabulary`, the words are skipped if the
// stated length leads to a storage chunk. `reader` is after the chunk's header and has the scope
// "vocabulary".
[[nodiscard]] Result<uint64_t> read_vocabulary(const io::Source& source, io::ByteReader& reader,
                                               const ChunkHead& head,
                                               const model::ReadOptions& options,
                                               io::Diagnostics& diagnostics, model::Model& model);

}  // namespace ambry::formats::finalfusion
