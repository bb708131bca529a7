// EMBD: parsing, checking and laying out never crash, and an accepted model lies within its file.
#include <cstdlib>

#include "formats/embd/embd_parse.h"
#include "formats/embd/embd_write.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ambry::io::MemorySource source({data, size});
  ambry::io::Diagnostics found;
  const auto model = ambry::formats::embd::parse(source, found);
  if (!model) return 0;
  for (const auto& tensor : model->tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
  }
  ambry::formats::embd::check(*model, found);
  ambry::model::Model again = *model;
  const auto layout = ambry::formats::embd::lay_out(again);
  if (layout && layout->total_bytes != again.file_bytes) std::abort();
  return 0;
}
