// The dictionary of a fastText file: its words, its labels, and the buckets that pruning kept.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "formats/fasttext/fasttext_header.h"
#include "io/byte_reader.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::formats::fasttext {

// What happens to a label that is not UTF-8. A word keeps its bytes.
enum class BadLabel : uint8_t {
  Error,
  Replace,  // it gets U+FFFD
};

struct Dictionary {
  model::Vocabulary words;
  model::Vocabulary labels;
  std::vector<uint64_t> label_counts;  // how often each label was in the training
  uint64_t n_invalid_words = 0;        // words that are not UTF-8
  bool pruned = false;
  // For a pruned model: the remaining buckets in ascending order, and the row of each after the
  // words' rows.
  std::vector<uint32_t> kept_buckets;
  std::vector<uint32_t> kept_rows;

  // The rows of n-grams that the input must have.
  [[nodiscard]] uint64_t n_bucket_rows(const Args& args) const {
    return pruned ? kept_buckets.size() : args.bucket;
  }
};

[[nodiscard]] Result<Dictionary> read_dictionary(const io::Source& source, io::ByteReader& reader,
                                                 const Args& args, BadLabel bad_label);

}  // namespace ambry::formats::fasttext
