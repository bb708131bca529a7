#include "io/json/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace ambry::io {
namespace {

struct BadJson {
  std::string text;
  ErrorCode code;
  uint64_t offset;
};

Json parsed(std::string_view text) {
  auto result = parse_json(text);
  EXPECT_TRUE(result) << text << ": " << describe(result.error());
  return result ? *result : Json();
}

TEST(Json, KeepsKindsOrderAndOffsets) {
  const Json root = parsed(R"( {"b": 1, "a": [-2, 1.5, "x", true, null, {}]} )");
  ASSERT_TRUE(root.is_object());
  EXPECT_EQ(root.byte_offset(), 1U);
  EXPECT_EQ(root.members()[0].first, "b");
  EXPECT_EQ(root.find("b")->uint(), 1U);
  EXPECT_EQ(root.find("b")->byte_offset(), 7U);
  const auto& items = root.find("a")->items();
  ASSERT_EQ(items.size(), 6U);
  EXPECT_EQ(items[0].integer(), -2);
  EXPECT_FALSE(items[0].is_uint());
  EXPECT_EQ(items[1].number(), 1.5);
  EXPECT_EQ(items[2].string(), "x");
  EXPECT_EQ(items[2].byte_offset(), 25U);
  EXPECT_TRUE(items[3].boolean());
  EXPECT_TRUE(items[4].is_null());
  EXPECT_TRUE(items[5].members().empty());
  EXPECT_EQ(root.find("c"), nullptr);
  EXPECT_EQ(items[0].find("b"), nullptr);
}

TEST(Json, ReadsNumbersOfEverySize) {
  EXPECT_EQ(parsed("18446744073709551615").uint(), UINT64_MAX);
  EXPECT_EQ(parsed("-9223372036854775808").integer(), INT64_MIN);
  EXPECT_EQ(parsed("18446744073709551616").number(), 18446744073709551616.0);
  EXPECT_EQ(parsed("1e-12").number(), 1e-12);
  EXPECT_EQ(parsed("2.2250738585072011e-308").number(), 2.2250738585072011e-308);
  EXPECT_EQ(parsed("-0").uint(), 0U);
  EXPECT_EQ(parsed("5.0").kind(), Json::Kind::Double);
}

// Number readers often fail at zeros and at the significand 2^64-1.
TEST(Json, ReadsZeroWithAnyExponent) {
  for (const char* text :
       {"0e91", "0E+400", "0.000e-99999999999", "[0e91]", "0.0000000000000000000000000", "[0.0]"}) {
    const Json value = parsed(text);
    const Json& number = value.is_array() ? value.items()[0] : value;
    EXPECT_EQ(number.number(), 0.0) << text;
    EXPECT_EQ(number.kind(), Json::Kind::Double) << text;
  }
  EXPECT_TRUE(std::signbit(parsed("-0.0e23").number()));
  for (const char* text :
       {"0e", "0e+", "00e1", "0.e1", "-e1", "0e1.5", "0ex", "0.", "-", "-.0", "0.0.0", "0.00-1"}) {
    EXPECT_FALSE(parse_json(text)) << text;
  }
}

TEST(Json, ReadsTheLargestSignificand) {
  EXPECT_EQ(parsed("[0.0184467440737095516156744]").items()[0].number(),
            0.0184467440737095516156744);
  EXPECT_EQ(parsed("184467440737095516159").number(), 184467440737095516159.0);
  EXPECT_EQ(parsed("-1.84467440737095516155e-7").number(), -1.84467440737095516155e-7);
  EXPECT_EQ(parse_json("[184467440737095516159e]").error().byte_offset, 23U);
  EXPECT_EQ(parse_json("[1, 184467440737095516159e999]").error().code, ErrorCode::Overflow);
  EXPECT_EQ(parsed("[18446744073709551615]").items()[0].uint(), UINT64_MAX);
}

TEST(Json, DecodesEscapes) {
  EXPECT_EQ(parsed(R"("a\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00")").string(),
            "a\"\\/\b\f\n\r\tA\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(parsed(R"("\u0000")").string(), std::string(1, '\0'));
  EXPECT_EQ(parsed(R"({"k\u0041": 1})").members()[0].first, "kA");
}

TEST(Json, RejectsInvalidJsonAtItsOffset) {
  const BadJson kBad[] = {
      {"", ErrorCode::Truncated, 0},
      {"  ", ErrorCode::Truncated, 2},
      {"{\"a\":1", ErrorCode::Truncated, 6},
      {"{\"a\":1,}", ErrorCode::BadValue, 7},
      {"{\"a\" 1}", ErrorCode::BadValue, 5},
      {"{a:1}", ErrorCode::BadValue, 1},
      {"{\"a\":}", ErrorCode::BadValue, 5},
      {"[1 2]", ErrorCode::BadValue, 3},
      {"[1,]", ErrorCode::BadValue, 3},
      {"[1}", ErrorCode::BadValue, 2},
      {"]", ErrorCode::BadValue, 0},
      {"01", ErrorCode::BadValue, 1},
      {"1.", ErrorCode::Truncated, 2},
      {"+1", ErrorCode::BadValue, 0},
      {"NaN", ErrorCode::BadValue, 0},
      {"[Infinity]", ErrorCode::BadValue, 1},
      {"-Infinity", ErrorCode::BadValue, 1},
      {"tru", ErrorCode::Truncated, 3},
      {"nul ", ErrorCode::BadValue, 3},
      {"1e999", ErrorCode::Overflow, 0},
      {"[0, -1e999]", ErrorCode::Overflow, 4},
      {"\"abc", ErrorCode::Truncated, 4},
      {"\"a\nb\"", ErrorCode::BadValue, 2},
      {"\"\\x\"", ErrorCode::BadValue, 1},
      {"\"\\ud800\"", ErrorCode::BadValue, 1},
      {"\"\\udc00\"", ErrorCode::BadValue, 1},
      {"1 2", ErrorCode::BadValue, 2},
      {"{} x", ErrorCode::BadValue, 3},
      {"\xEF\xBB\xBF{}", ErrorCode::BadValue, 0},
      {"[\"\xFF\"]", ErrorCode::BadValue, 2},
      {"[\"\xED\xA0\x80\"]", ErrorCode::BadValue, 2},
      {std::string("1\0", 2), ErrorCode::BadValue, 1},
      {std::string("[1,\0]", 5), ErrorCode::BadValue, 3},
      {"// c\n1", ErrorCode::BadValue, 0},
  };
  for (const BadJson& bad : kBad) {
    const auto result = parse_json(bad.text, 100, "config.json");
    ASSERT_FALSE(result) << bad.text;
    EXPECT_EQ(result.error().code, bad.code) << bad.text << describe(result.error());
    EXPECT_EQ(result.error().byte_offset, 100 + bad.offset) << bad.text << describe(result.error());
    EXPECT_EQ(result.error().path, "config.json");
  }
}

TEST(Json, RejectsADuplicateKeyAtItsSecondValue) {
  const auto small = parse_json(R"({"a":1,"b":2,"a":3})");
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, ErrorCode::BadValue);
  EXPECT_EQ(small.error().byte_offset, 17U);

  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  const auto fine = parse_json(text + "\"z\":1}");
  EXPECT_TRUE(fine) << describe(fine.error());
  const auto large = parse_json(text + "\"k77\":1}");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().byte_offset, text.size() + 6);
}

TEST(Json, BoundsTheDepthWithoutRecursion) {
  const std::string deepest = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(parse_json(deepest));
  for (const size_t depth : {65UL, 5'000'000UL}) {
    const auto result = parse_json(std::string(depth, '['));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::LimitExceeded);
    EXPECT_EQ(result.error().byte_offset, 64U);
  }
}

TEST(Json, LimitsTheNumberOfTinyValues) {
  std::string text = "[0";
  while (text.size() < 1'000'000) text += ",0";
  const auto result = parse_json(text + "]");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::LimitExceeded);
}

TEST(Json, DumpsCompactAndExact) {
  Json root = Json::object();
  root.set("text", "a\"\\\n\x01\x7F\xC3\xA9");
  root.set("numbers", Json::array());
  root.set("none", Json());
  root.set("text", "b\"");
  Json numbers = Json::array();
  for (const double d : {0.1, 1e-12, -0.0, 1e300, 5e-324}) numbers.append(d);
  numbers.append(std::numeric_limits<double>::infinity());
  numbers.append(UINT64_MAX);
  numbers.append(-3);
  root.set("numbers", numbers);
  const std::string text = root.dump();
  EXPECT_EQ(text,
            R"({"text":"b\"","numbers":[0.1,1e-12,-0.0,1e300,5e-324,null,18446744073709551615,-3],)"
            R"("none":null})");
  EXPECT_EQ(parsed(text).dump(), text);
  EXPECT_EQ(Json("\x01\x7F\n").dump(), R"("\u0001\u007f\n")");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::object().dump(), "{}");
}

TEST(Json, DumpedDoublesReadBackUnchanged) {
  double value = 1e-310;
  for (int i = 0; i < 2000; ++i, value *= -2.0173) {
    if (!std::isfinite(value)) break;
    EXPECT_EQ(parsed(Json(value).dump()).number(), value);
  }
}

}  // namespace
}  // namespace ambry::io
