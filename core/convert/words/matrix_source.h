// Reads word vectors from a file with one matrix: finalfusion or fastText.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "convert/words/row_access.h"
#include "convert/words/subword_rows.h"
#include "convert/words/word_source.h"

namespace ambry::convert {

// How a word's row is combined with the rows of its n-grams.
enum class Mixing : uint8_t {
  None,
  Average,   // fastText's row becomes the word's vector
  Separate,  // the word's vector becomes fastText's row
};

struct Matrix {
  RowStore store;  // the words' rows, then the n-grams' rows
  WordFacts facts;
  // The words by whose n-grams the rows are mixed, where the target gets other names of them.
  std::optional<model::WordVocabulary> stored_words;
  Mixing mixing = Mixing::None;
  bool words_only = false;  // leaves out the n-grams' rows
  // For a pruned model: the buckets with stored rows, ascending. The others become zeros.
  std::vector<uint32_t> kept_buckets;
  std::vector<uint8_t> kept_rows;  // the stored rows in this order; the file has another order
  std::vector<float> norms;        // factors for the words' rows, or none
  std::vector<Error> warnings;
};

class MatrixSource final : public WordSource {
 public:
  // Reads and returns values in blocks of `block_values`, in whole rows.
  explicit MatrixSource(Matrix matrix, uint64_t block_values = kBlockValues);
  [[nodiscard]] Result<Advance> advance() override;

 private:
  enum class Phase : uint8_t { Ready, Load, Mix, Emit };

  [[nodiscard]] bool of_words() const { return first_ < words().n_words; }
  [[nodiscard]] const model::WordVocabulary& words() const {
    return stored_words_ ? *stored_words_ : facts_.words;
  }
  [[nodiscard]] std::pair<uint64_t, uint64_t> stored_range() const;
  Result<bool> begin_group();
  Result<std::optional<Advance>> read_rows(uint64_t first, uint64_t count);
  Result<void> finish_load();
  Result<void> add_block();
  void finish_mix();
  void multiply_norms();
  void spread();
  Result<std::optional<Advance>> step();

  RowStore store_;
  std::optional<model::WordVocabulary> stored_words_;
  Mixing mixing_;
  uint64_t n_all_;  // rows to return
  std::vector<uint32_t> kept_buckets_;
  std::vector<uint8_t> kept_rows_;
  std::vector<float> norms_;
  uint64_t rows_per_block_;
  SubwordRows subwords_;

  Phase phase_ = Phase::Ready;
  // The group: rows of the target that are made together, [first_, first_ + n_rows_).
  uint64_t first_ = 0;
  uint64_t n_rows_ = 0;
  std::vector<float> values_;
  uint64_t n_loaded_ = 0;  // number of the group's stored rows that are loaded
  size_t block_ = 0;       // of the n-grams' rows, being added
  uint64_t n_emitted_ = 0;
  // The stored rows that were requested last.
  AlignedBuffer stored_;
  uint64_t asked_first_ = 0;
  uint64_t n_asked_ = 0;
  std::vector<float> ngram_rows_;
};

}  // namespace ambry::convert
