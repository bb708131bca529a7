// Codes of one bit a value for the rows of a list, and a query that estimates cosines from them
// (after RaBitQ, J. Gao and C. Long, 2024). A row x of a list with the centroid c is stored as the
// signs of the rotated rest r = x - c, and two numbers:
//
//   factor = |r|² / Σ|r_i|, with which Σ sign_i v_i is an unbiased estimate of v·r for rotated v
//   offset = c·r
//
// A query q then has q·x = q·c + c·r + (q - c)·r. Only the last term is estimated, and it is small
// where the list is near to the query.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "search/ivf/rotation.h"

namespace ambry::search {

// The signs, then factor and offset as f16.
[[nodiscard]] constexpr uint32_t sign_code_size(uint32_t dim) { return rotated_dim(dim) / 8 + 4; }

// Whether factor and offset are finite, and the factor is not negative.
[[nodiscard]] bool is_sign_code(Bytes code);

// `rest` is a rotated r, `offset` is c·r.
void encode_signs(std::span<const float> rest, float offset, uint8_t* to);

class SignQuery {
 public:
  explicit SignQuery(const Rotation& rotation);

  // Sets the list: `rest` is q - c before the rotation, `base` is q·c.
  void aim(std::span<const float> rest, float base);

  // The estimated cosine of the row with this code.
  [[nodiscard]] float estimate(const uint8_t* code) const;

 private:
  const Rotation& rotation_;
  std::vector<float> rotated_;
  std::vector<uint8_t> planes_;  // the rotated rest as integers of kernels::kSignPlanes bits
  float base_ = 0;
  float step_ = 0;   // the rotated rest is about step_ times the integers
  int32_t sum_ = 0;  // of the integers
};

}  // namespace ambry::search
