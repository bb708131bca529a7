// Bounds of numbers as they are written: digit by digit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::text {

// Decimal numbers of 15 digits are different doubles, and so are integers up to 2^53 - 1.
inline constexpr uint32_t kMaxDigits = 15;
inline constexpr uint32_t kMaxIntegerDigits = 16;
inline constexpr uint64_t kLargestInteger = (uint64_t{1} << 53) - 1;

// A bound of a schema. The digits of a fraction have no zeros at their end.
struct NumberBound {
  bool is_negative = false;
  uint64_t whole = 0;    // the digits before the point
  std::string fraction;  // the digits after it
  bool is_exclusive = false;

  [[nodiscard]] bool is_zero() const { return whole == 0 && fraction.empty(); }
};

// A number in decimal, without an exponent. The whole part has no zeros before it but is not empty,
// the fraction has none at its end.
struct Decimal {
  bool is_negative = false;
  std::string whole;
  std::string fraction;
};
[[nodiscard]] Decimal decimal_of(const io::Json& number);

enum class BoundKind : uint8_t { Lower, Upper };

// A bound beyond all numbers that are written is none. One with more than 15 digits is brought to
// 15, so that fewer numbers are in the range. Unsupported for a lower bound above 2^53 - 1 and for
// an upper one below -(2^53 - 1).
[[nodiscard]] Result<std::optional<NumberBound>> read_bound(const io::Json& value,
                                                            bool is_exclusive, BoundKind kind,
                                                            const std::string& path);
// Whether `a` allows less than `b`.
[[nodiscard]] bool is_tighter(const NumberBound& a, const NumberBound& b, BoundKind kind);

}  // namespace ambry::text
