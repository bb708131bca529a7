// tinyRuntime: parsing in every variant never crashes, an accepted model lies within its file, and
// what can be read can be written.
#include <cstdlib>

#include "formats/tinyruntime/tinyruntime_parse.h"
#include "formats/tinyruntime/tinyruntime_write.h"

using ambry::formats::tinyruntime::check;
using ambry::formats::tinyruntime::lay_out;
using ambry::formats::tinyruntime::parse_as;
using ambry::formats::tinyruntime::probe;
using ambry::model::CnnVariant;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ambry::io::MemorySource source({data, size});
  if (!probe(source)) std::abort();
  for (const CnnVariant variant : {CnnVariant::Vanilla, CnnVariant::Dq8, CnnVariant::Sq8}) {
    ambry::io::Diagnostics found;
    auto model = parse_as(variant, source, found);
    if (!model) continue;
    for (const auto& tensor : model->tensors) {
      if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
    }
    check(*model, found);
    if (!found.errors.empty()) continue;
    const auto layout = lay_out(*model);
    if (!layout || layout->total_bytes > size) std::abort();
  }
  return 0;
}
