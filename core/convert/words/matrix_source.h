// Word vectors out of a file that holds them as one matrix: finalfusion and fastText.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "convert/words/row_store.h"
#include "convert/words/subword_rows.h"
#include "convert/words/word_source.h"

namespace ambry::convert {

// What becomes of a word's row and those of its n-grams.
enum class Mixing : uint8_t {
  None,
  Average,   // the row as fastText stores it becomes the word's vector
  Separate,  // and back
};

struct Matrix {
  RowStore store;  // the words' rows, then those of the n-grams
  WordFacts facts;
  Mixing mixing = Mixing::None;
  bool words_only = false;  // the rows of n-grams are left out
  // Of a pruned model: the buckets whose rows are stored, ascending; the others become zeros.
  std::vector<uint32_t> kept_buckets;
  std::vector<uint8_t> kept_rows;  // as stored, in this order; the file has another
  std::vector<float> norms;        // by which the words' rows are multiplied first, or none
  std::vector<Error> warnings;
};

class MatrixSource final : public WordSource {
 public:
  // Numbers are read and given in blocks of `block_values`, rows whole.
  explicit MatrixSource(Matrix matrix, uint64_t block_values = kBlockValues);
  [[nodiscard]] Result<Advance> advance() override;

 private:
  enum class Phase : uint8_t { Ready, Load, Mix, Emit };

  [[nodiscard]] bool of_words() const { return first_ < words().n_words; }
  [[nodiscard]] const model::WordVocabulary& words() const { return facts_.words; }
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
  Mixing mixing_;
  uint64_t n_all_;  // rows to be given
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
  uint64_t n_loaded_ = 0;  // of the group's stored rows
  size_t block_ = 0;       // of the n-grams' rows, being added
  uint64_t n_emitted_ = 0;
  // What was asked for last: stored rows.
  AlignedBuffer stored_;
  uint64_t asked_first_ = 0;
  uint64_t n_asked_ = 0;
  std::vector<float> ngram_rows_;
};

}  // namespace ambry::convert
