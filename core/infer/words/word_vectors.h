// Vectors of words. Words outside the vocabulary get one from their n-grams
// (core/formats/finalfusion/README.md#word-vectors).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "infer/words/stored_rows.h"
#include "kernels/product_quantization/product_quantizer.h"
#include "model/vocabulary/vocabulary_index.h"
#include "model/words/subword_lookup.h"
#include "model/words/word_vocabulary.h"

namespace ambry::infer {

// How a word got its vector.
enum class Found : uint8_t { None, Known, Subwords };

// `none`, `known`, `subwords`.
[[nodiscard]] std::string_view found_name(Found found);

struct Lookup {
  Found found = Found::None;
  // The vector times `norm` is the vector before it was scaled to length 1. For a word of the
  // vocabulary it is the stored norm, or 1 where the file has none; for n-grams the length of their
  // sum; without a vector 0.
  float norm = 0.0F;
};

// The contents of a file. The rows are floats, or codes of `quantizer`.
struct WordParts {
  model::WordVocabulary words;
  size_t dim = 0;
  StoredRows rows;
  std::optional<kernels::ProductQuantizer> quantizer;
  std::vector<float> row_norms;  // one per row of codes, or none
  std::vector<float> norms;      // one per word, or none
};

class WordVectors {
 public:
  // rows.size() must be words.n_rows(). Codes must be below the number of centroids, which 256
  // centroids guarantee.
  explicit WordVectors(WordParts parts);

  [[nodiscard]] const model::WordVocabulary& vocabulary() const { return *words_; }
  [[nodiscard]] size_t dim() const { return dim_; }
  [[nodiscard]] uint64_t n_words() const { return words_->n_words; }
  [[nodiscard]] const StoredRows& rows() const { return rows_; }
  [[nodiscard]] StoredRows& rows() { return rows_; }
  [[nodiscard]] const std::optional<kernels::ProductQuantizer>& quantizer() const {
    return quantizer_;
  }
  [[nodiscard]] std::span<const float> row_norms() const { return row_norms_; }
  [[nodiscard]] std::span<const float> norms() const { return norms_; }
  [[nodiscard]] const model::SubwordLookup& pieces() const { return pieces_; }
  // Heap bytes of rows, codebooks and norms.
  [[nodiscard]] uint64_t weight_bytes() const;

  // The row of a word of the vocabulary, by its bytes. A word that is not UTF-8 is also found by
  // how it is shown.
  [[nodiscard]] std::optional<uint32_t> find(std::string_view word) const;
  // A word as it is shown: with U+FFFD for what is not UTF-8.
  [[nodiscard]] std::string shown(uint64_t row) const;
  // The values of a row, stored or reconstructed. NeedBytes when it is not in memory.
  [[nodiscard]] Result<void> read_row(uint64_t row, std::span<float> out) const;

  // The vector of a word. A word of the vocabulary has its row. Another word has the sum of its
  // n-grams' rows, in the reference's order, scaled to length 1; zeros when there are none. By
  // fastText's rule the norm is that of the mean over the rows that a pruned model has kept.
  // BadValue for an unknown word that is not UTF-8, LimitExceeded for one with very many n-grams,
  // NeedBytes for a row that is not in memory.
  [[nodiscard]] Result<Lookup> look_up(std::string_view word, std::span<float> out) const;

  // Appends the rows that look_up() would read.
  [[nodiscard]] Result<void> collect_rows(std::string_view word, std::vector<uint64_t>& rows) const;

 private:
  [[nodiscard]] Result<void> check_unknown(std::string_view word) const;
  [[nodiscard]] Result<Lookup> sum_subwords(std::string_view word, std::span<float> out) const;

  std::unique_ptr<const model::WordVocabulary> words_;  // pieces_ borrows it
  model::VocabularyIndex index_;
  model::SubwordLookup pieces_;
  size_t dim_;
  StoredRows rows_;
  std::optional<kernels::ProductQuantizer> quantizer_;
  std::vector<float> row_norms_;
  std::vector<float> norms_;
  // The rows of words that are not UTF-8, by how they are shown; of equal ones the first.
  std::unordered_map<std::string, uint32_t> rows_by_shown_;
};

}  // namespace ambry::infer
