#include "infer/text_classifier/bucket_rows.h"

#include <algorithm>
#include <bit>
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
  const uint32_t* const begin = buckets_.data() + starts_[bucket >> shift_];
  const uint32_t* const end = buckets_.data() + starts_[(bucket >> shift_) + 1];
  const uint32_t* const at = std::lower_bound(begin, end, bucket);
  if (at == end || *at != bucket) return std::nullopt;
  return rows_[static_cast<size_t>(at - buckets_.data())];
}

}  // namespace ambry::infer
