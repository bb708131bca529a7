// Reads fastText models, plain (.bin) and quantised (.ftz), up to the rows of their input matrix;
// the output matrix, which only training and classifying need, stays unread. Restartable on
// NeedBytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "io/source.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::formats::fasttext {

// The options of the training, in the file's order.
struct Args {
  uint32_t dims = 0;
  uint32_t window_size = 0;
  uint32_t epoch = 0;
  uint32_t min_count = 0;
  uint32_t neg = 0;
  uint32_t word_ngrams = 0;
  uint32_t loss = 0;
  uint32_t model = 0;
  uint32_t bucket = 0;
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  uint32_t lr_update_rate = 0;
  double sampling_threshold = 0;
};

// Rows as codes into centroids, `group` numbers at a time; the last group may be shorter.
struct Quantizer {
  uint32_t n_groups = 0;
  uint32_t group = 0;
  uint32_t last_group = 0;
  std::vector<float> centroids;  // of a group: 256 after one another
};

struct File {
  uint32_t version = 0;
  Args args;
  model::Vocabulary words;
  model::Vocabulary labels;
  bool replaced_bytes = false;  // in words that were not UTF-8
  bool pruned = false;
  // Of a pruned model: the buckets that are left, ascending, and which row behind those of the
  // words each of them has.
  std::vector<uint32_t> kept_buckets;
  std::vector<uint32_t> kept_rows;

  uint64_t rows = 0;
  uint64_t data_offset = 0;  // of the floats, or of the codes
  std::optional<Quantizer> quantizer;
  std::vector<float> row_norms;  // by which quantised rows are multiplied, or none

  [[nodiscard]] bool has_subwords() const {
    return args.max_n > 0 && args.bucket > 0 && !(pruned && kept_buckets.empty());
  }
};

[[nodiscard]] Result<bool> probe(const io::Source& source);

// Words that are not UTF-8 are an error, or get U+FFFD where `lossy`.
[[nodiscard]] Result<File> parse(const io::Source& source, bool lossy);

// The options as the reference program puts them into a finalfusion file.
[[nodiscard]] io::Json metadata_of(const Args& args);

}  // namespace ambry::formats::fasttext
