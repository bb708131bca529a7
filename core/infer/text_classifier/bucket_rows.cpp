#include "infer/text_classifier/bucket_rows.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace ambry::infer {

BucketRows::BucketRows(model::TextClassifier& classifier)
    : pruned_(classifier.pruned),
      buckets_(std::move(classifier.kept_buckets)),
      rows_(std::move(classifier.kept_rows)) {
  if (buckets_.empty()) return;
  const auto number_bits = static_cast<uint32_t>(std::bit_width(classifier.n_buckets - 1));
  const auto range_bits = static_cast<uint32_t>(std::bit_width(buckets_.size() - 1));
  shift_ = number_bits > range_bits ? number_bits - range_bits : 0;
  starts_.resize((size_t{classifier.n_buckets - 1} >> shift_) + 2);
  for (const uint32_t bucket : buckets_) ++starts_[(bucket >> shift_) + 1];
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::optional<uint32_t> BucketRows::find(uint32_t bucket) const {
  if (!pruned_) return bucket;
  if (buckets_.empty()) return std::nullopt;
  const size_t begin = starts_[bucket >> shift_];
  const size_t end = starts_[(bucket >> shift_) + 1];
  const auto range = std::span(buckets_).subspan(begin, end - begin);
  const auto at = std::ranges::lower_bound(range, bucket);
  if (at == range.end() || *at != bucket) return std::nullopt;
  return rows_[begin + static_cast<size_t>(at - range.begin())];
}

}  // namespace ambry::infer
