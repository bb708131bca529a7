// The tensor section: records and data one after another.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "formats/alt/section_walk.h"
#include "model/model.h"

namespace ambry::formats::alt {

struct TensorsRead {
  uint64_t end = 0;                  // of the last tensor's data
  uint64_t first_qint8 = kNoOffset;  // the type field of the first tensor in our extension
};

// Of a file whose qint8 is not laid out as here: what follows such a tensor makes no sense.
[[nodiscard]] Failure other_qint8(uint64_t type_at);

// Into `model.tensors`, and its regions.
[[nodiscard]] Result<TensorsRead> read_tensors(const io::Source& source, SectionWalk& walk,
                                               const SectionHead& head,
                                               io::Diagnostics& diagnostics, model::Model& model);

}  // namespace ambry::formats::alt
