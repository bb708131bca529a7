#include "model/encoder/architectures/encoder_facts.h"

#include "base/concat.h"

namespace ambry::model {

const char* EncoderFacts::distances_fault() const {
  if (positions == EncoderPositions::RelativeBuckets && max_distance <= relative_buckets / 4) {
    return "the last bucket begins at a distance that has a bucket of its own";
  }
  if (positions != EncoderPositions::Disentangled || relative_buckets == 0) return nullptr;
  if (relative_buckets < 4) return "there must be no or at least 4 buckets of distances";
  return max_distance <= relative_buckets / 2 + 1
             ? "the furthest distance has a bucket of its own, but there are buckets behind it"
             : nullptr;
}

const char* EncoderFacts::experts_fault() const {
  return experts_used > experts ? "a token cannot use more experts than there are" : nullptr;
}

ValueTarget StatedFact::target(EncoderFacts& facts) const {
  if (number_ != nullptr) return {key_, facts.*number_};
  if (real_ != nullptr) return {key_, facts.*real_};
  return {key_, facts.*flag_};
}

bool StatedFact::fits(const EncoderFacts& facts) const {
  if (flag_ != nullptr) return true;
  const double value = number_ != nullptr ? facts.*number_ : facts.*real_;
  return value >= min_ && value <= max_;
}

std::string StatedFact::bounds() const {
  return concat({"must be from ", io::Json(min_).dump(), " to ", io::Json(max_).dump()});
}

std::string StatedFact::text(const EncoderFacts& facts) const {
  if (number_ != nullptr) return concat({facts.*number_});
  if (real_ != nullptr) return io::Json(facts.*real_).dump();
  return facts.*flag_ ? "true" : "false";
}

}  // namespace ambry::model
