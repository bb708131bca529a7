// Reads fastText models, plain (.bin) and quantized (.ftz). On NeedBytes, load the bytes and call
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "formats/fasttext/dictionary.h"
#include "formats/fasttext/fasttext_header.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::fasttext {

// For the registry. Classifiers have Model::text_classifier, and others have Model::words.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options);
void check(const model::Model& model, io::Diagnostics& diagnostics);

// Rows as codes of centroids, each for `group` values. The last group may be shorter.
struct Quantizer {
  uint32_t n_groups = 0;
  uint32_t group = 0;
  uint32_t last_group = 0;
  std::vector<float> centroids;  // 256 for each group, group by group
};

// A model up to the rows of its input matrix, which have the vectors of words.
struct File : Dictionary {
  uint32_t version = 0;
  Args args;
  uint64_t rows = 0;
  uint64_t data_offset = 0;  // of the floats or of the codes
  std::optional<Quantizer> quantizer;
  std::vector<float> row_norms;  // factors for quantized rows, or none

  [[nodiscard]] bool has_subwords() const {
    return args.max_n > 0 && args.bucket > 0 && !(pruned && kept_buckets.empty());
  }
};

// For conversion. Words may have any bytes.
[[nodiscard]] Result<File> parse(const io::Source& source);

}  // namespace ambry::formats::fasttext
