#include "model/encoder/encoder_facts.h"

#include "base/concat.h"

namespace ambry::model {

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
