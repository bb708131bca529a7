// What a directory that does not open is told: what it is, and the nearest way on.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::formats::huggingface {

// Unsupported, at model_type, for a type that no reader knows. Empty: config.json does not state
// it.
[[nodiscard]] Failure unknown_type(const FileValues& values, std::string_view type);

// Unsupported, at the key that says so, for weights that a library has quantized in its own way.
[[nodiscard]] Result<void> refuse_quantized(const FileValues& values);

}  // namespace ambry::formats::huggingface
