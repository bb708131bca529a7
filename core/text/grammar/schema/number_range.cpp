#include "text/grammar/schema/number_range.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;

constexpr uint64_t kLargest = 999'999'999'999'999;

Expression digit_range(Grammar& grammar, int first, int last) {
  if (first > last) return Grammar::kNothing;
  return grammar.bytes(static_cast<char>('0' + first), static_cast<char>('0' + last));
}

Expression digits(Grammar& grammar, uint32_t least, uint32_t most) {
  return grammar.repeat(grammar.bytes('0', '9'), least, most);
}

// The digits of a number that follow a prefix, one by one. While the digits so far are the first
// ones of a bound, the bound limits the next one.
class DigitsBetween {
 public:
  DigitsBetween(Grammar& grammar, const std::string* lower, bool excludes_lower,
                const std::string* upper, bool excludes_upper)
      : grammar_(grammar),
        lower_(lower),
        upper_(upper),
        excludes_lower_(excludes_lower),
        excludes_upper_(excludes_upper) {}

  // The digits of a fraction: any number up to `most`, where a missing digit is a zero.
  Expression fraction(uint32_t most) {
    const bool has_lower = lower_ != nullptr;
    const bool has_upper = upper_ != nullptr;
    const Expression point = grammar_.literal(".");
    const Expression some = grammar_.sequence({point, next(0, has_lower, has_upper, most, false)});
    return grammar_.choice(
        {some, may_end(0, has_lower, has_upper) ? Grammar::kEmpty : Grammar::kNothing});
  }

  // The digits of a whole number: exactly as many digits as the bounds have.
  Expression fixed(uint32_t count) { return next(0, true, true, count, true); }

 private:
  [[nodiscard]] static int digit(const std::string& bound, uint32_t at) {
    return at < bound.size() ? bound[at] - '0' : 0;
  }

  // Whether the digits before `at`, with only zeros after them, are within the bounds.
  [[nodiscard]] bool may_end(uint32_t at, bool at_lower, bool at_upper) const {
    if (at_lower && (at < lower_->size() || excludes_lower_)) return false;
    return !at_upper || at < upper_->size() || !excludes_upper_;
  }

  // The digits from `at` on. `at_lower`, `at_upper`: those before are the bound's.
  Expression tail(uint32_t at, bool at_lower, bool at_upper, uint32_t left, bool is_fixed) {
    if (!at_lower && !at_upper) return digits(grammar_, is_fixed ? left : 0, left);
    if (is_fixed && left == 0) return Grammar::kEmpty;
    const bool ends = !is_fixed && may_end(at, at_lower, at_upper);
    return grammar_.choice(
        {next(at, at_lower, at_upper, left, is_fixed), ends ? Grammar::kEmpty : Grammar::kNothing});
  }

  // One more digit, and then the others.
  Expression next(uint32_t at, bool at_lower, bool at_upper, uint32_t left, bool is_fixed) {
    if (left == 0) return Grammar::kNothing;
    const int low = at_lower ? digit(*lower_, at) : 0;
    const int high = at_upper ? digit(*upper_, at) : 9;
    const auto with = [&](int first, int last, bool lower, bool upper) {
      return grammar_.sequence(
          {digit_range(grammar_, first, last), tail(at + 1, lower, upper, left - 1, is_fixed)});
    };
    if (low > high) return Grammar::kNothing;
    if (low == high && at_lower && at_upper) return with(low, low, true, true);
    std::vector<Expression> ways;
    if (at_lower) ways.push_back(with(low, low, true, false));
    const int first = at_lower ? low + 1 : low;
    const int last = at_upper ? high - 1 : high;
    if (first <= last) ways.push_back(with(first, last, false, false));
    if (at_upper) ways.push_back(with(high, high, false, true));
    return grammar_.choice(ways);
  }

  Grammar& grammar_;
  const std::string* lower_;  // nullptr: no bound
  const std::string* upper_;
  bool excludes_lower_;
  bool excludes_upper_;
};

// The whole numbers from `low` to `high`, without zeros before them.
Expression whole_numbers(Grammar& grammar, uint64_t low, uint64_t high) {
  std::vector<Expression> ways;
  uint64_t first = 0;  // of the numbers with n digits
  uint64_t last = 9;
  for (uint32_t n = 1; n <= kMaxIntegerDigits; ++n) {
    const uint64_t from = std::max(low, first);
    const uint64_t to = std::min(high, last);
    if (from <= to) {
      const std::string lower = std::to_string(from);
      const std::string upper = std::to_string(to);
      const bool is_all = from == first && to == last && n > 1;
      ways.push_back(
          is_all ? grammar.sequence({digit_range(grammar, 1, 9), digits(grammar, n - 1, n - 1)})
                 : DigitsBetween(grammar, &lower, false, &upper, false).fixed(n));
    }
    first = last + 1;
    last = last * 10 + 9;
  }
  return grammar.choice(ways);
}

// A range of numbers of 0 and more. Without an upper bound it ends at the largest number.
struct Magnitudes {
  NumberBound lower;
  std::optional<NumberBound> upper;
};

// The part of the range that is not negative, or, mirrored, the part below zero.
std::optional<Magnitudes> part_of(const NumberRange& range, bool is_negative) {
  const std::optional<NumberBound>& near = is_negative ? range.upper : range.lower;
  const std::optional<NumberBound>& far = is_negative ? range.lower : range.upper;
  const auto is_on_side = [&](const NumberBound& bound) {
    return bound.is_zero() || bound.is_negative == is_negative;
  };
  if (far && !is_on_side(*far)) return std::nullopt;
  Magnitudes part;
  part.lower.is_exclusive = is_negative;  // zero is written without a sign
  if (near && is_on_side(*near)) {
    part.lower = *near;
    if (near->is_zero() && is_negative) part.lower.is_exclusive = true;
  }
  part.upper = far;
  return part;
}

Expression whole_part(Grammar& grammar, const Magnitudes& part) {
  const NumberBound& lower = part.lower;
  const bool skips = !lower.fraction.empty() || lower.is_exclusive;
  const uint64_t low = lower.whole + (skips ? 1 : 0);
  if (!part.upper) return whole_numbers(grammar, low, kLargestInteger);
  const NumberBound& upper = *part.upper;
  const bool excludes = upper.fraction.empty() && upper.is_exclusive;
  if (excludes && upper.whole == 0) return Grammar::kNothing;
  return whole_numbers(grammar, low, upper.whole - (excludes ? 1 : 0));
}

uint32_t n_digits(uint64_t number) { return static_cast<uint32_t>(std::to_string(number).size()); }

Expression decimal_part(Grammar& grammar, const Magnitudes& part) {
  const NumberBound& lower = part.lower;
  const uint64_t largest_bound = std::max(lower.whole, part.upper ? part.upper->whole : 0);
  const uint32_t most = kMaxDigits - std::min(kMaxDigits, n_digits(largest_bound));
  const auto with = [&](uint64_t first, uint64_t last, const NumberBound* from,
                        const NumberBound* to) {
    DigitsBetween between(
        grammar, from != nullptr ? &from->fraction : nullptr, from != nullptr && from->is_exclusive,
        to != nullptr ? &to->fraction : nullptr, to != nullptr && to->is_exclusive);
    return grammar.sequence({whole_numbers(grammar, first, last), between.fraction(most)});
  };
  if (!part.upper) {
    return grammar.choice({with(lower.whole, lower.whole, &lower, nullptr),
                           with(lower.whole + 1, kLargest, nullptr, nullptr)});
  }
  const NumberBound& upper = *part.upper;
  if (lower.whole > upper.whole) return Grammar::kNothing;
  if (lower.whole == upper.whole) return with(lower.whole, lower.whole, &lower, &upper);
  return grammar.choice({with(lower.whole, lower.whole, &lower, nullptr),
                         upper.whole - lower.whole < 2
                             ? Grammar::kNothing
                             : with(lower.whole + 1, upper.whole - 1, nullptr, nullptr),
                         with(upper.whole, upper.whole, nullptr, &upper)});
}

template <class Part>
Expression signed_numbers(Grammar& grammar, const NumberRange& range, const Part& part) {
  std::vector<Expression> ways;
  if (const auto positive = part_of(range, false)) ways.push_back(part(grammar, *positive));
  if (const auto negative = part_of(range, true)) {
    ways.push_back(grammar.sequence({grammar.literal("-"), part(grammar, *negative)}));
  }
  return grammar.choice(ways);
}

}  // namespace

Expression any_number(Grammar& grammar) {
  const Expression sign = grammar.optional(grammar.literal("-"));
  const Expression fraction =
      grammar.sequence({grammar.literal("."), digits(grammar, 1, kMaxDigits)});
  ByteSet signs('+', '+');
  signs.add('-', '-');
  ByteSet e('E', 'E');
  e.add('e', 'e');
  const Expression exponent = grammar.sequence(
      {grammar.bytes(e), grammar.optional(grammar.bytes(signs)), digits(grammar, 1, 2)});
  return grammar.sequence({sign, whole_numbers(grammar, 0, kLargest), grammar.optional(fraction),
                           grammar.optional(exponent)});
}

Expression integers_in(Grammar& grammar, const NumberRange& range) {
  return signed_numbers(grammar, range, whole_part);
}

Expression numbers_in(Grammar& grammar, const NumberRange& range) {
  return signed_numbers(grammar, range, decimal_part);
}

}  // namespace ambry::text
