// Reads fastText models, plain (.bin) and quantized (.ftz), up to the rows of their input matrix.
// The output matrix is needed only for training and classification, so it is not read. On
// NeedBytes, load the bytes and call it again.
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

// The training options, in file order.
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

// Rows as codes of centroids, each for `group` values. The last group may be shorter.
struct Quantizer {
  uint32_t n_groups = 0;
  uint32_t group = 0;
  uint32_t last_group = 0;
  std::vector<float> centroids;  // 256 for each group, group by group
};

struct File {
  uint32_t version = 0;
  Args args;
  model::Vocabulary words;
  model::Vocabulary labels;
  bool replaced_bytes = false;  // whether words were not UTF-8
  bool pruned = false;
  // For a pruned model: the remaining buckets in ascending order, and the row of each after the
  // words' rows.
  std::vector<uint32_t> kept_buckets;
  std::vector<uint32_t> kept_rows;

  uint64_t rows = 0;
  uint64_t data_offset = 0;  // of the floats or of the codes
  std::optional<Quantizer> quantizer;
  std::vector<float> row_norms;  // factors for quantized rows, or none

  [[nodiscard]] bool has_subwords() const {
    return args.max_n > 0 && args.bucket > 0 && !(pruned && kept_buckets.empty());
  }
};

[[nodiscard]] Result<bool> probe(const io::Source& source);

// Words that are not UTF-8 are an error. If `lossy`, they get U+FFFD.
[[nodiscard]] Result<File> parse(const io::Source& source, bool lossy);

// The options in the form in which the reference program writes them to finalfusion files.
[[nodiscard]] io::Json metadata_of(const Args& args);

}  // namespace ambry::formats::fasttext
