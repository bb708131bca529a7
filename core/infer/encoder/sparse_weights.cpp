// In a file of its own: the modules of small encoders do not link it.
#include "infer/encoder/encoder.h"
#include "infer/encoder/head/sparse_head_pass.h"

namespace ambry::infer {

Result<AlignedBuffer> Encoder::sparse_weights(std::span<const float> hidden) const {
  return run_sparse_head(*weights_, hidden);
}

std::span<const float> Encoder::query_weights() const {
  const Head& head = *weights_->head;
  return head.query_weights.values.as<float>().first(head.sparse.n_query_weights);
}

}  // namespace ambry::infer
