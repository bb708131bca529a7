// From the bucket of an n-gram to its row. A pruned model has rows for some buckets only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/text_classifier/text_classifier_data.h"

namespace ambry::infer {

class BucketRows {
 public:
  // Takes the lists of buckets and rows out of `classifier`.
  explicit BucketRows(model::TextClassifier& classifier);

  // The row, counted from the first one after the words. Nothing when the model has none.
  [[nodiscard]] std::optional<uint32_t> find(uint32_t bucket) const;

 private:
  bool pruned_;
  std::vector<uint32_t> buckets_;  // ascending
  std::vector<uint32_t> rows_;
  // Where the buckets of each range of numbers start. Hashes are spread evenly, so that a range has
  // about one.
  std::vector<uint32_t> starts_;
  uint32_t shift_ = 0;
};

}  // namespace ambry::infer
