#include "infer/encoder/weights/embedding_table.h"

#include <cassert>

#include "tensor/dtype/convert.h"

namespace ambry::infer {

void EmbeddingTable::read_any(uint64_t row, std::span<float> out) const {
  assert(row < rows && out.size() == cols);
  const auto row_bytes = static_cast<size_t>(cols * tensor::dtype_size(dtype));
  const Bytes stored = values.bytes().subspan(static_cast<size_t>(row) * row_bytes, row_bytes);
  [[maybe_unused]] const Result<void> widened = tensor::to_f32(dtype, stored, out);
  assert(widened);
  if (scales.empty()) return;
  const float scale = scales[static_cast<size_t>(row)];
  const float zero_point = zero_points[static_cast<size_t>(row)];
  for (float& x : out) x = (x - zero_point) * scale;
}

}  // namespace ambry::infer
