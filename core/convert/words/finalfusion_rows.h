// The rows of a finalfusion file as a RowStore, either dense or quantized.
#pragma once

#include <vector>

#include "base/result.h"
#include "convert/words/row_access.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::convert {

// The values of a tensor that is read whole. NeedBytes until `source` has it.
[[nodiscard]] Result<std::vector<float>> read_floats(const io::Source& source,
                                                     const model::TensorEntry& tensor);

// `model` is the parsed `source`. NeedBytes until the codebook is there.
[[nodiscard]] Result<RowStore> open_finalfusion_rows(const io::Source& source,
                                                     const model::Model& model);

}  // namespace ambry::convert
