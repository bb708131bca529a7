#include "infer/encoder/head/classification_head.h"

#include "infer/encoder/head/dense_pass.h"
#include "infer/encoder/head/pooling.h"
#include "kernels/norm/layer_norm.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

uint64_t bytes_of(const Linear& linear) {
  return linear.weight.bytes() + linear.bias.values.size();
}

}  // namespace

uint64_t Head::bytes() const {
  uint64_t total = bytes_of(classifier.linear);
  if (dense) total += bytes_of(dense->linear);
  total += query_weights.values.size();
  if (norm) total += norm->weight.values.size() + norm->bias.values.size();
  return total;
}

std::vector<float> classify(const Head& head, std::span<const float> hidden, size_t hidden_size,
                            float layer_norm_eps) {
  const bool late = head.pooling == model::HeadPooling::Late;
  std::vector<float> vector(hidden.begin(), hidden.end());
  size_t width = hidden_size;
  const auto pool_rows = [&] {
    std::vector<float> pooled(width);
    pool(head.pooling == model::HeadPooling::First ? Pooling::Cls : Pooling::Mean, vector, 0,
         pooled);
    vector = std::move(pooled);
  };
  if (!late) pool_rows();
  if (head.dense) {
    apply_dense_layer(*head.dense, vector);
    width = head.dense->linear.weight.f32.n();
  }
  if (late) pool_rows();
  if (head.norm) {
    kernels::layer_norm<simd::Best>(vector, {head.norm->weight.data(), vector.size()},
                                    {head.norm->bias.data(), vector.size()}, layer_norm_eps);
  }
  apply_dense_layer(head.classifier, vector);
  return vector;
}

}  // namespace ambry::infer
