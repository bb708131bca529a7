#include "text/grammar/schema/number_multiples.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "text/grammar/schema/number_bound.h"

namespace ambry::text {

// The remainder so far is followed: before the point, and after it up to as many digits as the
// divisor has there. Then only zeros may follow.
Result<Grammar::Expression> multiples_of(Grammar& grammar, const io::Json& value,
                                         const std::string& path) {
  if (!value.is_number() || value.number() <= 0) {
    return make_error(ErrorCode::BadValue, path, "must be a number above 0");
  }
  const Decimal decimal = decimal_of(value);
  const std::string digits = decimal.whole + decimal.fraction;
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  const auto n_places = static_cast<uint32_t>(decimal.fraction.size());
  uint32_t divisor = 0;
  const char* end = digits.data() + digits.size();
  const auto [_, problem] = std::from_chars(digits.data() + first, end, divisor);
  constexpr uint64_t kMaxStates = 8192;
  if (problem != std::errc() || uint64_t{divisor} * (n_places + 2) > kMaxStates) {
    return make_error(ErrorCode::LimitExceeded, path,
                      "this number has too many digits for multipleOf");
  }
  Grammar::Automaton automaton(size_t{divisor} * (n_places + 2));
  const auto set_of = [&](int byte) {
    return grammar.set_of(ByteSet(static_cast<uint8_t>(byte), static_cast<uint8_t>(byte)));
  };
  for (uint32_t place = 0; place < n_places + 2; ++place) {
    const uint32_t next = place == 0 ? 0 : std::min(place + 1, n_places + 1);
    const bool is_last = place == n_places + 1;
    for (uint32_t rest = 0; rest < divisor; ++rest) {
      Grammar::State& state = automaton[place * divisor + rest];
      uint32_t scaled = rest;
      for (uint32_t i = place == 0 ? 1 : place; i <= n_places; ++i) scaled = scaled * 10 % divisor;
      state.is_end = scaled == 0;
      if (is_last) {
        state.edges.push_back({set_of('0'), place * divisor + rest});
        continue;
      }
      for (uint32_t digit = 0; digit < 10; ++digit) {
        const uint32_t after = (rest * 10 + digit) % divisor;
        state.edges.push_back({set_of('0' + static_cast<int>(digit)), next * divisor + after});
      }
      if (place == 0) state.edges.push_back({set_of('.'), divisor + rest});
    }
  }
  automaton[0].edges.push_back({set_of('-'), 0});
  return grammar.automaton(std::move(automaton));
}

Grammar::Expression spellings_of(Grammar& grammar, const io::Json& number) {
  const Decimal decimal = decimal_of(number);
  const Grammar::Expression zeros = grammar.repeat(grammar.bytes('0', '0'), 0, Grammar::kUnbounded);
  std::string text = (decimal.is_negative ? "-" : "") + decimal.whole;
  if (!decimal.fraction.empty()) {
    text += "." + decimal.fraction;
    return grammar.sequence({grammar.literal(text), zeros});
  }
  const Grammar::Expression point = grammar.sequence({grammar.literal("."), zeros});
  return grammar.sequence({grammar.literal(text), grammar.optional(point)});
}

}  // namespace ambry::text
