#include "text/grammar/schema/number_bound.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ambry::text {

Decimal decimal_of(const io::Json& number) {
  std::string text = number.dump();
  Decimal made;
  made.is_negative = text.starts_with('-');
  if (made.is_negative) text.erase(0, 1);
  int exponent = 0;
  if (const size_t e = text.find('e'); e != std::string::npos) {
    const char* digits = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(digits, text.data() + text.size(), exponent);
    text.resize(e);
  }
  const size_t point = std::min(text.find('.'), text.size());
  made.whole = text.substr(0, point);
  made.fraction = text.substr(std::min(point + 1, text.size()));
  for (; exponent > 0; --exponent) {
    made.whole += made.fraction.empty() ? '0' : made.fraction[0];
    if (!made.fraction.empty()) made.fraction.erase(0, 1);
  }
  for (; exponent < 0; ++exponent) {
    made.fraction.insert(made.fraction.begin(), made.whole.back());
    made.whole.pop_back();
    if (made.whole.empty()) made.whole = "0";
  }
  while (made.fraction.ends_with('0')) made.fraction.pop_back();
  made.whole.erase(0, std::min(made.whole.find_first_not_of('0'), made.whole.size() - 1));
  return made;
}

Result<std::optional<NumberBound>> read_bound(const io::Json& value, bool is_exclusive,
                                              BoundKind kind, const std::string& path) {
  if (!value.is_number()) return make_error(ErrorCode::BadValue, path, "must be a number");
  Decimal decimal = decimal_of(value);
  NumberBound bound;
  bound.is_negative = decimal.is_negative;
  bound.is_exclusive = is_exclusive;
  const std::string& whole = decimal.whole;
  std::from_chars(whole.data(), whole.data() + whole.size(), bound.whole);
  const bool is_outward = decimal.is_negative == (kind == BoundKind::Lower);
  if (whole.size() > kMaxIntegerDigits || bound.whole > kLargestInteger) {
    if (is_outward) return std::optional<NumberBound>();
    return make_error(ErrorCode::Unsupported, path,
                      "no numbers beyond 2^53 - 1 are written, and this bound asks for them");
  }
  const size_t n_kept = kMaxDigits - std::min<size_t>(kMaxDigits, whole.size());
  if (decimal.fraction.size() > n_kept) {
    decimal.fraction.resize(n_kept);
    while (decimal.fraction.ends_with('0')) decimal.fraction.pop_back();
    bound.is_exclusive = !is_outward;
  }
  bound.fraction = std::move(decimal.fraction);
  return std::optional(std::move(bound));
}

bool is_tighter(const NumberBound& a, const NumberBound& b, BoundKind kind) {
  const auto sign = [](const NumberBound& x) { return x.is_zero() ? 0 : x.is_negative ? -1 : 1; };
  int order = sign(a) - sign(b);
  if (order == 0) {
    if (a.whole != b.whole) {
      order = a.whole < b.whole ? -1 : 1;
    } else {
      order = a.fraction.compare(b.fraction);
    }
    if (a.is_negative) order = -order;
  }
  if (order == 0) return a.is_exclusive && !b.is_exclusive;
  return (order > 0) == (kind == BoundKind::Lower);
}

}  // namespace ambry::text
