#include "text/grammar/schema/number_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "text/grammar/accepts.h"
#include "text/grammar/schema/number_multiples.h"

namespace ambry::text {
namespace {

NumberBound bound_of(const std::string& text, bool is_exclusive,
                     BoundKind kind = BoundKind::Lower) {
  return *std::move(read_bound(*io::parse_json(text), is_exclusive, kind, "bound")).value();
}

// A matcher for the numbers of a range; nothing when there are none.
std::optional<GrammarMatcher> range_matcher(const NumberRange& range, bool with_fractions) {
  Grammar grammar;
  const Grammar::Rule root = grammar.add_rule("root");
  grammar.define(root, with_fractions ? numbers_in(grammar, range) : integers_in(grammar, range));
  auto matcher = GrammarMatcher::create(grammar, "range");
  if (matcher) return std::move(*matcher);
  EXPECT_EQ(matcher.error().code, ErrorCode::BadValue);
  return std::nullopt;
}

bool is_in(const NumberRange& range, double value, double lower, double upper) {
  if (range.lower && (range.lower->is_exclusive ? value <= lower : value < lower)) return false;
  return !range.upper || (range.upper->is_exclusive ? value < upper : value <= upper);
}

TEST(NumberRange, HasExactlyTheIntegersBetweenItsBounds) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const double low = static_cast<double>(random.below(2400)) - 1200;
    const double high = low + static_cast<double>(random.below(1300));
    NumberRange range;
    if (random.below(5) > 0)
      range.lower = bound_of(std::to_string(static_cast<int>(low)), random.below(2) == 0);
    if (random.below(5) > 0)
      range.upper =
          bound_of(std::to_string(static_cast<int>(high)), random.below(2) == 0, BoundKind::Upper);
    auto matcher = range_matcher(range, false);
    for (int value = -1250; value <= 1250; ++value) {
      const bool has = matcher && testing::accepts(*matcher, std::to_string(value));
      ASSERT_EQ(has, is_in(range, value, low, high)) << low << " " << high << " " << value;
    }
  }
}

// All decimals of two places, with and without zeros at their end.
TEST(NumberRange, HasExactlyTheDecimalsBetweenItsBounds) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double low = (static_cast<double>(random.below(800)) - 400) / 100;
    const double high = low + static_cast<double>(random.below(500)) / 100;
    const std::string low_text = io::Json(low).dump();
    const std::string high_text = io::Json(std::round(high * 100) / 100).dump();
    NumberRange range;
    if (random.below(5) > 0) range.lower = bound_of(low_text, random.below(2) == 0);
    if (random.below(5) > 0)
      range.upper = bound_of(high_text, random.below(2) == 0, BoundKind::Upper);
    if (!range.lower && !range.upper) continue;
    auto matcher = range_matcher(range, true);
    for (int hundredths = -950; hundredths <= 950; ++hundredths) {
      if (hundredths == 0) continue;
      char text[32];
      std::snprintf(text, sizeof text, "%s%d.%02d0", hundredths < 0 ? "-" : "",
                    std::abs(hundredths) / 100, std::abs(hundredths) % 100);
      std::string shown = text;
      const double value = std::atof(text);
      const bool expected =
          is_in(range, value, std::atof(low_text.c_str()), std::atof(high_text.c_str()));
      while (true) {
        const bool has = matcher && testing::accepts(*matcher, shown);
        ASSERT_EQ(has, expected) << low_text << " " << high_text << " " << shown;
        if (!shown.ends_with('0') || shown.find('.') == std::string::npos) break;
        shown.pop_back();
        if (shown.ends_with('.')) shown.pop_back();
      }
    }
  }
}

TEST(NumberRange, WritesNumbersAsJsonDoes) {
  Grammar any;
  const Grammar::Rule root = any.add_rule("root");
  any.define(root, any_number(any));
  auto numbers = GrammarMatcher::create(any, "numbers");
  ASSERT_TRUE(numbers);
  for (const char* text : {"0", "-0.5", "12", "1.25e-3", "3E+9", "999999999999999"}) {
    EXPECT_TRUE(testing::accepts(*numbers, text)) << text;
  }
  for (const char* text : {"", "-", "01", "1.", ".5", "1e", "+1", "1e999", "1000000000000000"}) {
    EXPECT_FALSE(testing::accepts(*numbers, text)) << text;
  }
  auto integers = range_matcher({}, false);
  EXPECT_TRUE(testing::accepts(*integers, "-120"));
  EXPECT_FALSE(testing::accepts(*integers, "-0"));
  EXPECT_FALSE(testing::accepts(*integers, "1.0"));
}

// No double between the bound and the number rounds past the bound.
TEST(NumberRange, KeepsDoublesWithinExclusiveBounds) {
  NumberRange range;
  range.upper = bound_of("100", true, BoundKind::Upper);
  auto matcher = range_matcher(range, true);
  std::string text = "99.";
  while (testing::accepts(*matcher, text + "9")) text += '9';
  EXPECT_LT(std::atof(text.c_str()), 100);
  EXPECT_GT(text.size(), 10U);
}

TEST(NumberRange, HasTheIntegersOfADouble) {
  const NumberRange range = {bound_of("-9007199254740991", false),
                             bound_of("9007199254740991", false, BoundKind::Upper)};
  auto matcher = range_matcher(range, false);
  for (const char* text : {"9007199254740991", "-9007199254740991", "0", "999999999999999"}) {
    EXPECT_TRUE(testing::accepts(*matcher, text)) << text;
  }
  EXPECT_FALSE(testing::accepts(*matcher, "9007199254740992"));
  EXPECT_FALSE(testing::accepts(*matcher, "-9007199254740992"));
}

// Bounds that no written number reaches are none; those with many digits are brought to 15.
TEST(NumberRange, ReadsBoundsOfManyDigits) {
  EXPECT_FALSE(*read_bound(io::Json(1e300), false, BoundKind::Upper, "maximum"));
  EXPECT_FALSE(*read_bound(io::Json(-3.4e38), false, BoundKind::Lower, "minimum"));
  const NumberBound small = bound_of("1e-7", false);
  EXPECT_EQ(small.fraction, "0000001");
  EXPECT_FALSE(small.is_exclusive);
  const NumberBound cut = bound_of("0.30000000000000004", false);
  EXPECT_EQ(cut.fraction, "3");
  EXPECT_TRUE(cut.is_exclusive);
  EXPECT_FALSE(bound_of("0.30000000000000004", false, BoundKind::Upper).is_exclusive);
  const auto beyond = read_bound(io::Json(1e300), false, BoundKind::Lower, "schema.minimum");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(beyond.error().path, "schema.minimum");
  EXPECT_FALSE(read_bound(io::Json("1"), false, BoundKind::Lower, "schema.minimum"));
}

TEST(NumberRange, HasExactlyTheMultiples) {
  for (const double divisor : {1.0, 3.0, 7.0, 100.0, 0.5, 0.25, 0.01, 1.5, 2.5}) {
    Grammar grammar;
    const Grammar::Rule root = grammar.add_rule("root");
    grammar.define(root, *multiples_of(grammar, io::Json(divisor), "multipleOf"));
    auto matcher = GrammarMatcher::create(grammar, "multiples");
    ASSERT_TRUE(matcher);
    for (int thousandths = -2000; thousandths <= 2000; thousandths += 5) {
      char text[32];
      std::snprintf(text, sizeof text, "%s%d.%03d", thousandths < 0 ? "-" : "",
                    std::abs(thousandths) / 1000, std::abs(thousandths) % 1000);
      const bool expected = thousandths % static_cast<int>(std::lround(divisor * 1000)) == 0;
      ASSERT_EQ(testing::accepts(*matcher, text), expected) << divisor << " " << text;
    }
  }
  Grammar grammar;
  EXPECT_FALSE(multiples_of(grammar, io::Json(0), "multipleOf"));
  EXPECT_EQ(multiples_of(grammar, io::Json(123456.789), "multipleOf").error().code,
            ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::text
