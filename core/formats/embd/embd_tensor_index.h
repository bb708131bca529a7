// The tensor index of layout F0: descriptors of 32 bytes each, then all names.
#pragma once

#include <vector>

#include "base/result.h"
#include "formats/embd/f0_header.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::embd {

[[nodiscard]] Result<std::vector<model::TensorEntry>> read_tensor_index(
    const io::Source& source, const F0Header& header, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::embd
