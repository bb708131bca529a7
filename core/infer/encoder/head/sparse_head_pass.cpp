#include "infer/encoder/head/sparse_head_pass.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "infer/encoder/head/token_head_pass.h"
#include "kernels/gemm/f32_gemm.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using V = simd::Best;
using kernels::PackedF32Matrix;

// The words of a part of the vocabulary: whole panels of a matrix.
constexpr size_t kWordsOfPart = 512;
static_assert(kWordsOfPart % kernels::kPanelColumns == 0);

// The numbers of the tokens for the words of a part, and how far apart those of neighbouring words
// and of neighbouring tokens lie.
struct PartNumbers {
  const float* numbers;
  size_t word_stride;
  size_t token_stride;
  size_t n_tokens;
};

// log(1 + x), as often as the settings say.
float saturated(const model::SparseSettings& settings, float x) {
  for (uint32_t i = 0; i < settings.logarithms; ++i) x = std::log1p(x);
  return x;
}

// What is not finite stays so. The logarithm of the largest number is the largest logarithm.
float pooled(const model::SparseSettings& settings, const PartNumbers& part, size_t word) {
  const float* number = part.numbers + word * part.word_stride;
  float result = 0;
  for (size_t i = 0; i < part.n_tokens; ++i, number += part.token_stride) {
    if (settings.sum) {
      if (!(*number <= 0)) result += saturated(settings, *number);
    } else if (!(*number <= result)) {
      result = *number;
    }
  }
  return settings.sum ? result : saturated(settings, result);
}

void pool_part(const model::SparseSettings& settings, const PartNumbers& part,
               std::span<float> weights) {
  for (size_t word = 0; word < weights.size(); ++word) {
    weights[word] = pooled(settings, part, word);
  }
}

// The rows of a part of the table, one after another. Those of f32 are there already.
const float* rows_of_part(const EmbeddingTable& words, size_t first, size_t count,
                          std::vector<float>& widened) {
  const auto width = static_cast<size_t>(words.cols);
  if (words.dtype == tensor::DType::F32) return words.values.as<float>().data() + first * width;
  widened.resize(kWordsOfPart * width);
  for (size_t i = 0; i < count; ++i) {
    words.read_row<V>(first + i, std::span(widened).subspan(i * width, width));
  }
  return widened.data();
}

// The products with the rows of the word embeddings. The tokens are packed once, and the rows of
// the table are read as they are.
Result<void> weigh_by_table(const EmbeddingTable& words, const Head& head,
                            const kernels::MatrixView& tokens, std::span<float> weights) {
  const auto width = static_cast<size_t>(words.cols);
  AMBRY_TRY(const PackedF32Matrix packed,
            PackedF32Matrix::pack({tokens.data, tokens.stride, 1}, tokens.rows, width));
  AMBRY_TRY(AlignedBuffer product,
            AlignedBuffer::allocate(kWordsOfPart * tokens.rows * sizeof(float)));
  float* numbers = product.as<float>().data();
  const PaddedVector& bias = head.classifier.linear.bias;
  std::vector<float> widened;
  for (size_t first = 0; first < weights.size(); first += kWordsOfPart) {
    const size_t count = std::min(kWordsOfPart, weights.size() - first);
    const float* rows = rows_of_part(words, first, count, widened);
    const kernels::RowBias added{bias.values.size() == 0 ? nullptr : bias.data() + first};
    kernels::fused_f32_gemm<V>({rows, count, width}, packed, numbers, tokens.rows, added);
    pool_part(head.sparse, {numbers, tokens.rows, 1, tokens.rows}, weights.subspan(first, count));
  }
  return {};
}

// The products with the classifier's own matrix.
Result<void> weigh_by_matrix(const Head& head, const kernels::MatrixView& tokens,
                             std::span<float> weights) {
  const PackedF32Matrix& matrix = head.classifier.linear.weight.f32;
  const float* bias = head.classifier.linear.bias.data();
  AMBRY_TRY(AlignedBuffer product,
            AlignedBuffer::allocate(kWordsOfPart * tokens.rows * sizeof(float)));
  float* numbers = product.as<float>().data();
  for (size_t first = 0; first < weights.size(); first += kWordsOfPart) {
    const size_t count = std::min(kWordsOfPart, weights.size() - first);
    const kernels::PanelView part{count, matrix.k(), matrix.panels() + first * matrix.k()};
    kernels::fused_f32_gemm<V>(tokens, part, numbers, count, kernels::Bias{bias + first});
    pool_part(head.sparse, {numbers, 1, count, tokens.rows}, weights.subspan(first, count));
  }
  return {};
}

// A token has one number, which is as good as a word of one token.
void weigh_own_words(const Head& head, const kernels::MatrixView& tokens,
                     std::span<float> weights) {
  kernels::fused_f32_gemm<V>(tokens, head.classifier.linear.weight.f32, weights.data(), 1,
                             kernels::Bias{head.classifier.linear.bias.data()});
  for (float& weight : weights) weight = pooled(head.sparse, {&weight, 0, 0, 1}, 0);
}

}  // namespace

Result<AlignedBuffer> run_sparse_head(const EncoderWeights& weights,
                                      std::span<const float> hidden) {
  const size_t n_tokens = hidden.size() / weights.hidden_size;
  const std::vector<float> rows = classifier_inputs(weights, hidden);
  const Head& head = *weights.head;
  const size_t n_own = head.classifier.linear.weight.f32.n();
  const size_t n_words = n_own == 0 ? static_cast<size_t>(weights.word_embeddings.rows) : n_own;
  const size_t n_weights = head.sparse.own_words ? n_tokens : n_words;
  AMBRY_TRY(AlignedBuffer out, AlignedBuffer::allocate(n_weights * sizeof(float)));
  const std::span<float> made = out.as<float>();
  std::ranges::fill(made, 0.0F);
  if (n_tokens == 0) return out;
  const size_t width = rows.size() / n_tokens;
  const kernels::MatrixView tokens{rows.data(), n_tokens, width};
  if (head.sparse.own_words) {
    weigh_own_words(head, tokens, made);
  } else if (n_own > 0) {
    AMBRY_RETURN_IF_ERROR(weigh_by_matrix(head, tokens, made));
  } else {
    AMBRY_RETURN_IF_ERROR(weigh_by_table(weights.word_embeddings, head, tokens, made));
  }
  return out;
}

}  // namespace ambry::infer
