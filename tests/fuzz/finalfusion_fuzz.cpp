// finalfusion: reading, checking and writing never crash; an accepted model lies within its file,
// and what is written of it is accepted.
#include <cstdlib>

#include "formats/finalfusion/finalfusion_parse.h"
#include "formats/finalfusion/finalfusion_write.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace finalfusion = ambry::formats::finalfusion;
  const ambry::io::MemorySource source({data, size});
  ambry::io::Diagnostics found;
  auto model = finalfusion::parse(source, found);
  if (!model) return 0;
  for (const auto& tensor : model->tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
  }
  finalfusion::check(*model, found);
  if (!found.errors.empty()) return 0;
  // One bucket can be read but not written.
  const auto layout = finalfusion::lay_out(*model);
  if (!layout && layout.error().path != "vocabulary.n_buckets") std::abort();
  return 0;
}
