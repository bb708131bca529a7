// Compares what a directory says of an encoder's classification head with the weights.
#pragma once

#include "base/result.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/directory.h"
#include "model/file/model.h"

namespace ambry::convert {

// NotFound for a tensor of the head that is missing. Mismatch, with the file and the key of the
// labels as path, for another number of labels than the classifier has rows. A head that the
// directory leaves out is taken out of the source, with a warning for each tensor.
[[nodiscard]] Result<void> check_head(const formats::huggingface::Directory& directory,
                                      SourceModel& source);

// Whether a tensor would be part of a head with this layout.
[[nodiscard]] bool is_head_tensor(std::string_view canonical_name, const model::HeadLayout& layout);

}  // namespace ambry::convert
