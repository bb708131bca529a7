#include "infer/encoder/head/token_head_pass.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "infer/encoder/head/dense_pass.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/similarity/dot.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using V = simd::Best;

void normalize_rows(const LayerNorm& norm, std::span<float> rows, size_t width, float epsilon) {
  for (size_t at = 0; at < rows.size(); at += width) {
    kernels::layer_norm<V>(rows.subspan(at, width), {norm.weight.data(), width},
                           {norm.bias.data(), width}, epsilon);
  }
}

// The products with the rows of the word embeddings. Each of these is widened once for all tokens.
void multiply_with_words(const EmbeddingTable& words, std::span<const float> rows,
                         const PaddedVector& bias, std::span<float> out) {
  const auto width = static_cast<size_t>(words.cols);
  const size_t n_rows = rows.size() / width;
  const auto n_words = static_cast<size_t>(words.rows);
  const bool has_bias = bias.values.size() > 0;
  std::vector<float> word(width);
  for (size_t i = 0; i < n_words; ++i) {
    words.read_row<V>(i, word);
    const float added = has_bias ? bias.data()[i] : 0;
    for (size_t row = 0; row < n_rows; ++row) {
      out[row * n_words + i] = kernels::dot<V>(rows.subspan(row * width, width), word) + added;
    }
  }
}

}  // namespace

std::vector<float> classifier_inputs(const EncoderWeights& weights, std::span<const float> hidden) {
  assert(weights.head && hidden.size() % weights.hidden_size == 0);
  const Head& head = *weights.head;
  std::vector<float> rows(hidden.begin(), hidden.end());
  if (head.dense) apply_dense_layer(*head.dense, rows);
  const size_t width = head.dense ? head.dense->linear.weight.f32.n() : weights.hidden_size;
  if (head.norm) normalize_rows(*head.norm, rows, width, weights.layer_norm_eps);
  return rows;
}

Result<AlignedBuffer> run_token_head(const EncoderWeights& weights, std::span<const float> hidden) {
  const size_t n_rows = hidden.size() / weights.hidden_size;
  const std::vector<float> rows = classifier_inputs(weights, hidden);
  const size_t width = n_rows == 0 ? 0 : rows.size() / n_rows;

  const Head& head = *weights.head;
  const Linear& classifier = head.classifier.linear;
  const kernels::PackedF32Matrix& matrix = classifier.weight.f32;
  const bool tied = matrix.n() == 0;
  const uint64_t n_outputs = tied ? weights.word_embeddings.rows : matrix.n();
  AMBRY_TRY(AlignedBuffer out, AlignedBuffer::allocate(n_rows * n_outputs * sizeof(float)));
  if (tied) {
    multiply_with_words(weights.word_embeddings, rows, classifier.bias, out.as<float>());
  } else {
    kernels::f32_gemm<V>({rows.data(), n_rows, width}, matrix, out.as<float>().data(), matrix.n(),
                         kernels::Bias{classifier.bias.data()});
  }
  return out;
}

}  // namespace ambry::infer
