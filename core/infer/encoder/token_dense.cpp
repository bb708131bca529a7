// In a file of its own: the modules of small encoders do not link it.
#include "infer/encoder/encoder.h"
#include "infer/encoder/head/dense_pass.h"
#include "infer/encoder/weights/encoder_weights.h"

namespace ambry::infer {

void Encoder::apply_token_dense(std::vector<float>& rows) const {
  if (weights_->token_dense.empty()) return apply_dense(rows);
  for (const DenseLayer& layer : weights_->token_dense) apply_dense_layer(layer, rows);
}

}  // namespace ambry::infer
