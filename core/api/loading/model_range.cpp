#include "api/loading/model_range.h"

#include <algorithm>

namespace ambry::api {

StreamedRange streamed_range(const model::Model& model, const std::vector<size_t>& tensors) {
  StreamedRange range{model.file_bytes, 0};
  for (const size_t i : tensors) {
    range.begin = std::min(range.begin, model.tensors[i].offset);
    range.end = std::max(range.end, model.tensors[i].offset + model.tensors[i].bytes);
  }
  for (const model::ByteRangeCrc& crc : model.checksums) {
    range.begin = std::min(range.begin, crc.begin);
    range.end = std::max(range.end, crc.end);
  }
  // The parts that the parser left for later are at the end.
  if (model.closing_magic) range.end = model.file_bytes;
  return range;
}

uint64_t bytes_of(const model::Model& model, const std::vector<size_t>& tensors) {
  uint64_t bytes = 0;
  for (const size_t i : tensors) bytes += model.tensors[i].bytes;
  return bytes;
}

}  // namespace ambry::api
