// Reads the tensor section: records and data, one after another.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "formats/alt/section_walk.h"
#include "model/file/model.h"

namespace ambry::formats::alt {

struct TensorsRead {
  uint64_t end = 0;                  // end of the last tensor's data
  uint64_t first_qint8 = kNoOffset;  // type field of the first tensor in our extension
};

// The error for a file whose qint8 has another layout. The bytes after such a tensor cannot be
// read.
[[nodiscard]] Failure other_qint8(uint64_t type_at);

// Fills `model.tensors` and adds the regions.
[[nodiscard]] Result<TensorsRead> read_tensors(const io::Source& source, SectionWalk& walk,
                                               const SectionHead& head,
                                               io::Diagnostics& diagnostics, model::Model& model);

}  // namespace ambry::formats::alt
