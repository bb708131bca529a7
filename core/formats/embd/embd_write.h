// Writes layout F0.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::embd {

// `created_at` where no date is given. A fixed date keeps equal input equal in the output.
inline constexpr std::string_view kNoDate = "1970-01-01T00:00:00Z";

// Lays out a file of model.metadata (values must be strings), model.tokenizer and model.tensors.
// Sets the tensors' offsets and sizes. Tensors keep the order of the table; each starts at a
// multiple of 64, with zeros between. BadValue or LimitExceeded for values that the format cannot
// hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::embd
