// Tensors of a directory of Hugging Face that AMB has under other names, in other pieces, or as
// facts of the config.
#pragma once

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"
#include "io/json/json.h"

namespace ambry::convert {

// `stated` is config.json, and `config` AMB's config of it.
// - The language model of one that also sees pictures loses the prefix of its names, and the rest
//   of the model is left out.
// - The joint gate and up matrix of granitemoehybrid becomes two.
// - Convolutions of every channel by itself have no dimension of 1.
// - The parameters of xIELU become lists of the config.
[[nodiscard]] Result<void> adapt_library_tensors(const SourceFiles& sources, const io::Json& stated,
                                                 SourceModel& source, io::Json& config);

}  // namespace ambry::convert
