// What a linear classifier of texts is made of, besides its matrices: a text's words, n-grams of
// characters and n-grams of words select rows of an input matrix, and their mean times an output
// matrix scores the labels (core/formats/fasttext/README.md#classifiers).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

// How scores become probabilities. The numbers are fastText's.
enum class LabelLoss : uint8_t {
  HierarchicalSoftmax = 1,
  NegativeSampling = 2,
  Softmax = 3,
  OneVsAll = 4,
};

// `hs`, `ns`, `softmax` or `ova`.
[[nodiscard]] std::string_view label_loss_name(LabelLoss loss);

// The longest n-grams of words or characters. Real models have up to six. It bounds the time that a
// text takes.
inline constexpr uint32_t kMaxNgramLength = 256;

// The names of the tensors. A matrix that is quantized has all of them for codes, or all but the
// last two.
inline constexpr std::string_view kInputMatrix = "input";
inline constexpr std::string_view kOutputMatrix = "output";
inline constexpr std::string_view kCentroidsSuffix = ".centroids";
inline constexpr std::string_view kNormCodesSuffix = ".norm_codes";
inline constexpr std::string_view kNormsSuffix = ".norms";

// The special members are out of line, as in Error, to keep the WebAssembly small.
struct TextClassifier {
  TextClassifier();
  TextClassifier(const TextClassifier&);
  TextClassifier(TextClassifier&&) noexcept;
  TextClassifier& operator=(const TextClassifier&);
  TextClassifier& operator=(TextClassifier&&) noexcept;
  ~TextClassifier();

  LabelLoss loss = LabelLoss::Softmax;
  uint32_t dims = 0;
  uint32_t word_ngrams = 0;
  // The lengths of n-grams of characters; none if max_n is 0.
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  // All n-grams are hashed into so many buckets, whose rows follow those of the words.
  uint32_t n_buckets = 0;
  // A pruned model has rows for these buckets only, in ascending order.
  bool pruned = false;
  std::vector<uint32_t> kept_buckets;
  std::vector<uint32_t> kept_rows;  // counted from the first row after the words

  Vocabulary words;  // as bytes: index = row; empty when not read (ReadOptions::vocabulary)
  uint64_t n_words = 0;
  Vocabulary labels;
  std::vector<uint64_t> label_counts;

  // How many numbers each group of a product quantizer has, where the matrix is quantized.
  uint32_t input_group = 0;
  uint32_t output_group = 0;
  // Where the flag, the rows and the columns of the output matrix are, if the source is sequential
  // and they are still to be compared. Else 0.
  uint64_t unread_output_at = 0;

  friend bool operator==(const TextClassifier&, const TextClassifier&) = default;
};

}  // namespace ambry::model
