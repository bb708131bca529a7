// Vectors of words, and of words that are not in the vocabulary by their pieces
// (core/formats/finalfusion/README.md#word-vectors).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
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
  // The vector times this is the one before it got length 1: as stored for a word, 1 where a file
  // has no norms, the length of the sum for pieces; 0 for none.
  float norm = 0.0F;
};

// What the file says. The rows are numbers, or codes of `quantizer`.
struct WordParts {
  model::WordVocabulary words;
  size_t dim = 0;
  StoredRows rows;
  std::optional<kernels::ProductQuantizer> quantizer;
  std::vector<float> row_norms;  // of the quantizer's rows, one each, or none
  std::vector<float> norms;      // of the words' vectors, one each, or none
};

class WordVectors {
 public:
  // rows.size() is words.n_rows(); codes are below 256 centroids or were checked.
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
  // Of rows, codebooks and norms.
  [[nodiscard]] uint64_t held_bytes() const;

  // The row of a word of the vocabulary.
  [[nodiscard]] std::optional<uint32_t> find(std::string_view word) const {
    return index_.find(words_->words, word);
  }
  // A row's numbers, as they are stored or reconstructed. NeedBytes when it is not held.
  [[nodiscard]] Result<void> read_row(uint64_t row, std::span<float> out) const;

  // The vector of a word: its row as it is; of another the sum of its pieces' rows, in the
  // reference's order, brought to length 1; zeros for none. BadValue for an unknown word that is
  // not UTF-8, LimitExceeded for one of very many pieces, NeedBytes for a row that is not held.
  [[nodiscard]] Result<Lookup> look_up(std::string_view word, std::span<float> out) const;

  // The rows that look_up() would read, behind those that are there already.
  [[nodiscard]] Result<void> collect_rows(std::string_view word, std::vector<uint64_t>& rows) const;

 private:
  [[nodiscard]] Result<void> check_unknown(std::string_view word) const;
  [[nodiscard]] Result<Lookup> add_pieces(std::string_view word, std::span<float> out) const;

  std::unique_ptr<const model::WordVocabulary> words_;  // where the pieces find it
  model::VocabularyIndex index_;
  model::SubwordLookup pieces_;
  size_t dim_;
  StoredRows rows_;
  std::optional<kernels::ProductQuantizer> quantizer_;
  std::vector<float> row_norms_;
  std::vector<float> norms_;
};

}  // namespace ambry::infer
