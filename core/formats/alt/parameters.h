// Reads the sections before the tokenizer: v2's general texts and the parameters of both versions.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "formats/alt/section_walk.h"
#include "formats/alt/text_field.h"
#include "model/file/model.h"

namespace ambry::formats::alt {

// Each function returns where the section's fields end.

// Fills `model.metadata`. Finds out what the lengths of texts count.
[[nodiscard]] Result<uint64_t> read_general(const io::Source& source, SectionWalk& walk,
                                            const SectionHead& head, io::Diagnostics& diagnostics,
                                            model::Model& model);

// Fills `model.config`.
[[nodiscard]] Result<uint64_t> read_parameters_v1(const io::Source& source, SectionWalk& walk,
                                                  const SectionHead& head,
                                                  io::Diagnostics& diagnostics,
                                                  model::Model& model);
[[nodiscard]] Result<uint64_t> read_parameters_v2(const io::Source& source, SectionWalk& walk,
                                                  const SectionHead& head,
                                                  io::Diagnostics& diagnostics,
                                                  model::Model& model);

}  // namespace ambry::formats::alt
