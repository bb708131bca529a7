#include "model/tokenizer/files/score_text.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "io/number/parse_double.h"

namespace ambry::model {
namespace {

constexpr int64_t kMaxPower = 308;  // the largest power of ten in a double

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class ScoreReader {
 public:
  explicit ScoreReader(std::string_view text) : rest_(text) {}

  double read() {
    const bool negative = skip('-');
    read_digits();
    // Digits that do not fit into the integer are dropped; before the point, they still count.
    exponent_ += skip_digits();
    if (skip('.')) {
      exponent_ -= read_digits();
      skip_digits();
    }
    if (skip('e') || skip('E')) exponent_ += read_exponent();
    const double value = scaled();
    return negative ? -value : value;
  }

 private:
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Adds digits to the integer while they fit. Returns their number.
  int64_t read_digits() {
    int64_t n = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); ++n) {
      const auto digit = static_cast<uint64_t>(rest_.front() - '0');
      if (digits_ > (UINT64_MAX - digit) / 10) break;
      digits_ = digits_ * 10 + digit;
      rest_.remove_prefix(1);
    }
    return n;
  }

  int64_t skip_digits() {
    const size_t n = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(n);
    return static_cast<int64_t>(n);
  }

  int64_t read_exponent() {
    constexpr int64_t kMany = 1'000'000;  // makes any value 0 or too large
    const bool negative = skip('-');
    if (!negative) skip('+');
    int64_t exponent = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      exponent = std::min(exponent * 10 + (rest_.front() - '0'), kMany);
    }
    return negative ? -exponent : exponent;
  }

  [[nodiscard]] double scaled() const {
    auto value = static_cast<double>(digits_);
    int64_t exponent = exponent_;
    for (; value != 0 && exponent < -kMaxPower; exponent += kMaxPower) value /= 1e308;
    if (value == 0) return value;
    return exponent < 0 ? value / power_of_ten(-exponent) : value * power_of_ten(exponent);
  }

  static double power_of_ten(int64_t exponent) {
    constexpr int64_t kExact = 22;  // up to here every product is exact
    if (exponent > kExact) {
      return io::parse_double("1e" + std::to_string(std::min(exponent, kMaxPower)));
    }
    double power = 1;
    for (; exponent > 0; --exponent) power *= 10;
    return power;
  }

  std::string_view rest_;
  uint64_t digits_ = 0;
  int64_t exponent_ = 0;
};

}  // namespace

double score_of_text(std::string_view text) { return ScoreReader(text).read(); }

}  // namespace ambry::model
