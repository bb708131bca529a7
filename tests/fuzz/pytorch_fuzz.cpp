// PyTorch: parsing never crashes, and an accepted model lies within its file.
#include <cstdlib>

#include "formats/pytorch/pytorch_parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ambry::io::MemorySource source({data, size});
  ambry::io::Diagnostics found;
  const auto model = ambry::formats::pytorch::parse(source, found);
  if (!model) return 0;
  for (const auto& tensor : model->tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
  }
  return 0;
}
