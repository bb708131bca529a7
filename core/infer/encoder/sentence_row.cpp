#include "infer/encoder/sentence_row.h"

#include <algorithm>

namespace ambry::infer {

void sentence_row(const Encoder& encoder, Pooling pooling, std::span<const float> hidden,
                  size_t n_prompt, std::vector<float>& row, std::span<float> out) {
  row.resize(encoder.hidden_size());
  pool(pooling, hidden, n_prompt, row);
  encoder.apply_dense(row);
  std::copy_n(row.begin(), out.size(), out.begin());
}

}  // namespace ambry::infer
