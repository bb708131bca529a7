// ONNX: reading and checking never crash, and an accepted model lies within its file.
#include <cstdlib>

#include "formats/onnx/external_data.h"
#include "formats/onnx/graph_document.h"
#include "formats/onnx/onnx_format.h"
#include "formats/onnx/onnx_parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace onnx = ambry::formats::onnx;
  const ambry::io::MemorySource source({data, size});
  if (const auto read = onnx::read_model(source)) {
    ambry::io::Diagnostics problems;
    onnx::check_external(*read, {{"model.onnx_data", 64}}, problems);
    if (onnx::graph_document(*read).dump().empty()) std::abort();
  }
  ambry::io::Diagnostics found;
  const auto model = onnx::parse(source, found);
  if (!model) return 0;
  for (const auto& tensor : model->tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
  }
  return 0;
}
