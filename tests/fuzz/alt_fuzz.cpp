// ALT: parsing, checking and laying out never crash; an accepted model lies within its file, and is
// laid out if it is without fault.
#include <cstdlib>

#include "formats/alt/alt_parse.h"
#include "formats/alt/alt_write.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ambry::io::MemorySource source({data, size});
  for (const bool vocabulary : {false, true}) {
    ambry::io::Diagnostics found;
    auto model = ambry::formats::alt::parse(source, found, {.vocabulary = vocabulary});
    if (!model) continue;
    for (const auto& tensor : model->tensors) {
      if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
    }
    ambry::formats::alt::check(*model, found);
    const bool complete = model->tokenizer && model->config.is_object() && vocabulary;
    const bool laid_out = ambry::formats::alt::lay_out(*model).has_value();
    if (complete && found.errors.empty() && found.warnings.empty() && !laid_out) std::abort();
  }
  return 0;
}
