// Tensors whose values are in other files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/onnx/onnx_model.h"
#include "io/diagnostics.h"

namespace ambry::formats::onnx {

struct FileBeside {
  std::string name;  // its path from the folder of the model
  uint64_t bytes = 0;
};

// Whether the path leads to a file in the folder of the model, or in a folder in it, on every
// system: without `..`, drives, backslashes and a slash at its beginning.
[[nodiscard]] bool stays_inside(std::string_view path);

// The path without `.` and empty steps.
[[nodiscard]] std::string plain_path(std::string_view path);

// Adds an error for each file that is not among these, and for each tensor whose file is too short.
void check_external(const OnnxModel& model, const std::vector<FileBeside>& files,
                    io::Diagnostics& diagnostics);

}  // namespace ambry::formats::onnx
