// AMB: parsing and checking never crash, an accepted model lies within its file, and what is
// written reads as the same tensors.
#include <cstdlib>

#include "formats/amb/amb_parse.h"
#include "formats/amb/amb_write.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ambry::io::MemorySource source({data, size});
  ambry::io::Diagnostics found;
  auto model = ambry::formats::amb::parse(source, found);
  if (!model) return 0;
  for (const auto& tensor : model->tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
  }
  ambry::formats::amb::check(*model, found);
  if (!found.errors.empty()) return 0;
  const auto layout = ambry::formats::amb::lay_out(*model);
  if (!layout) return 0;
  uint64_t total = 0;
  for (const auto& piece : layout->pieces) {
    const bool literal = piece.tensor == ambry::model::FilePiece::kLiteral;
    total += literal ? piece.bytes.size() : model->tensors[piece.tensor].bytes;
  }
  if (total != layout->total_bytes) std::abort();
  return 0;
}
