// The rows that a text selects: of its words, of their n-grams of characters, and of n-grams of its
// words. All as fastText does it, its signed hashes included.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "infer/text_classifier/bucket_rows.h"
#include "infer/text_classifier/matrix_rows.h"
#include "model/text_classifier/text_classifier_data.h"
#include "model/vocabulary/vocabulary_index.h"

namespace ambry::infer {

class TextFeatures {
 public:
  // Takes the words and the lists of buckets out of `classifier`.
  explicit TextFeatures(model::TextClassifier& classifier);

  // The mean of the rows of `text`, in linear time. Returns how many rows there were; if none, the
  // mean is zeros.
  uint64_t average(std::string_view text, const model::Vocabulary& labels, const MatrixRows& rows,
                   std::span<float> mean) const;

 private:
  class Sum;

  void add_word(std::string_view word, Sum& sum) const;
  void add_ngrams(std::string_view word, Sum& sum) const;
  void add_word_ngrams(std::span<const uint32_t> hashes, Sum& sum) const;

  uint32_t word_ngrams_;
  uint32_t min_n_;
  uint32_t max_n_;
  uint32_t n_buckets_;
  uint64_t n_words_;
  BucketRows buckets_;
  model::Vocabulary words_;
  model::VocabularyIndex word_index_;
  model::VocabularyIndex label_index_;
};

}  // namespace ambry::infer
