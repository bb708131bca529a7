// Loads what a graph is known by before it is read.
#pragma once

#include "base/result.h"
#include "io/source.h"

namespace ambry::formats::onnx {

// Asks for the graph of an ONNX file and for its short tensors, which are the constants that
// matching reads, by walking over the lengths of the messages. A parser that starts again after
// each request would do all of its work again for each. NeedBytes while bytes are missing; nothing
// for other files and for what is wrong with this one.
[[nodiscard]] Result<void> load_outline(const io::Source& source);

}  // namespace ambry::formats::onnx
