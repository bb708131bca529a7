// What only ONNX files have: a graph, and tensors in other files.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/source.h"

namespace ambry::api {

// JSON of OnnxGraph (web/src/inspect/types.ts). NeedBytes while bytes are missing.
[[nodiscard]] Result<std::string> onnx_graph(const io::Source& source);

// Whether the files that the model names are there and have the ranges that it names. `files` is a
// JSON array of [name, size]: the files beside the model, by their paths from its folder. The
// result is a JSON array of problems. NeedBytes while bytes are missing.
[[nodiscard]] Result<std::string> check_external_data(const io::Source& source,
                                                      std::string_view files);

}  // namespace ambry::api
