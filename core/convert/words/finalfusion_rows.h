// The rows of a finalfusion file as a RowStore, whichever of the two forms they have.
#pragma once

#include <vector>

#include "base/result.h"
#include "convert/words/row_store.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::convert {

// The numbers of a tensor that is held whole. NeedBytes until `source` has it.
[[nodiscard]] Result<std::vector<float>> read_floats(const io::Source& source,
                                                     const model::TensorEntry& tensor);

// `model` is what the parser made of `source`. NeedBytes until the codebook is there.
[[nodiscard]] Result<RowStore> open_finalfusion_rows(const io::Source& source,
                                                     const model::Model& model);

}  // namespace ambry::convert
