#include "convert/adapter/overlap.h"

#include <algorithm>

namespace ambry::convert {

std::optional<Overlap> overlap(const Input& weight, const Output& output) {
  const model::TensorEntry& whole = weight.tensor;
  const uint64_t rows = whole.shape.rank() == 0 ? 1 : whole.shape[0];
  uint64_t row = 0;          // of the output
  uint64_t rows_before = 0;  // of inputs without bytes of their own for each row
  std::optional<Overlap> found;
  for (const Input& input : output.inputs) {
    const model::TensorEntry& part = input.tensor;
    const uint64_t n = part.shape.rank() == 0 ? 1 : part.shape[0];
    const bool apart = input.file != weight.file || whole.bytes == 0 ||
                       part.offset >= whole.offset + whole.bytes ||
                       part.offset + part.bytes <= whole.offset;
    if (!apart) {
      const auto row_bytes = stored_row_bytes(whole).value_or(0);
      Overlap now{row, row + n, 0};
      if (part.offset > whole.offset && n != rows) {
        now.first = row_bytes == 0 ? rows_before : (part.offset - whole.offset) / row_bytes;
      } else if (part.offset < whole.offset && row_bytes != 0) {
        now.begin += (whole.offset - part.offset) / row_bytes;
      }
      now.end = std::min(now.end, now.begin + rows - now.first);
      if (!found) {
        found = now;
      } else {
        found->end = now.end;  // the next part of the same weight
      }
      rows_before += n;
    }
    row += n;
  }
  return found;
}

}  // namespace ambry::convert
