// Reads chunks 1, 3, 7, 8 and 9. Restartable on NeedBytes.
#pragma once

#include <vector>

#include "formats/finalfusion/chunk.h"
#include "model/model.h"

namespace ambry::formats::finalfusion {

// Reads the chunk into `model.words` and its parts into `model.regions`; the result is where it
// ends. Without `options.vocabulary` the words are passed over where the stated length leads to a
// storage chunk. `reader` stands behind the head and has the scope "vocabulary".
[[nodiscard]] Result<uint64_t> read_vocabulary(const io::Source& source, io::ByteReader& reader,
                                               const ChunkHead& head,
                                               const model::ReadOptions& options,
                                               io::Diagnostics& diagnostics, model::Model& model);

}  // namespace ambry::formats::finalfusion
