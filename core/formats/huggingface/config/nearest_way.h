// What a directory that does not open is told: what it is, and the nearest way on.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::formats::huggingface {

// Unsupported, at model_type, for a type that no reader knows. Empty: config.json does not state
// it.
[[nodiscard]] Failure unknown_type(const FileValues& values, std::string_view type);

}  // namespace ambry::formats::huggingface
