#include "io/toml/toml.h"

#include <gtest/gtest.h>

#include <string>

namespace ambry::io {
namespace {

std::string json_of(std::string_view text) {
  const auto json = parse_toml(text);
  return json ? json->dump() : describe(json.error());
}

TEST(Toml, ReadsTheMetadataOfWordVectors) {
  EXPECT_EQ(json_of("# made by hand\n"
                    "[common_config]\ndims = 5\nlr = 0.05000000074505806\nloss = \"x\"\n\n"
                    "[vocab_config]\ntype = 'Subword'\n\n"
                    "[vocab_config.indexer]\nbuckets_exp = 10 # of two\n"),
            R"({"common_config":{"dims":5,"lr":0.05000000074505806,"loss":"x"},)"
            R"("vocab_config":{"type":"Subword","indexer":{"buckets_exp":10}}})");
  EXPECT_EQ(json_of(""), "{}");
  EXPECT_EQ(json_of("\xEF\xBB\xBF\r\na = 1\r\n"), R"({"a":1})");
}

TEST(Toml, KeepsTheOrderOfTheText) {
  EXPECT_EQ(json_of("z = 1\na = 2\n[y]\n[b]\n"), R"({"z":1,"a":2,"y":{},"b":{}})");
}

TEST(Toml, KeepsTheOffsetsOfValues) {
  const auto json = parse_toml("a = 1\nbc = [2]\n", 100);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find("a")->byte_offset(), 104U);
  EXPECT_EQ(json->find("bc")->items()[0].byte_offset(), 112U);
}

TEST(Toml, ReadsNumbers) {
  const std::pair<const char*, const char*> kNumbers[] = {
      {"0", "0"},
      {"+99", "99"},
      {"-17", "-17"},
      {"-0", "0"},
      {"1_000", "1000"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"0xDEAD_beef", "3735928559"},
      {"0o755", "493"},
      {"0b1101", "13"},
      {"3.25", "3.25"},
      {"-0.5", "-0.5"},
      {"5e+02", "500.0"},
      {"6.5E-1", "0.65"},
      {"1_0.2_5", "10.25"},
      {"inf", "null"},
      {"-nan", "null"},
      {"true", "true"},
      {"false", "false"},
  };
  for (const auto& [text, expected] : kNumbers) {
    const auto json = parse_toml(std::string("a = ") + text);
    ASSERT_TRUE(json) << text << describe(json.error());
    if (std::string(expected) == "500.0") {
      EXPECT_EQ(json->find("a")->number(), 500.0);
    } else {
      EXPECT_EQ(json->find("a")->dump(), expected) << text;
    }
  }
}

TEST(Toml, KeepsDatesAndTimesAsText) {
  for (const char* date : {"1979-05-27T07:32:00Z", "1979-05-27 07:32:00.5-07:00",
                           "1979-05-27T00:32:00.999999", "1979-05-27", "07:32:00", "2024-02-29"}) {
    EXPECT_EQ(json_of(std::string("a = ") + date + " # x"),
              R"({"a":")" + std::string(date) + "\"}");
  }
}

TEST(Toml, ReadsStrings) {
  EXPECT_EQ(json_of(R"(a = "q\"\\\b\t\n\f\r \u00e9 \U0001F600")"),
            "{\"a\":\"q\\\"\\\\\\u0008\\u0009\\n\\u000c\\u000d \xC3\xA9 \xF0\x9F\x98\x80\"}");
  EXPECT_EQ(json_of("a = 'C:\\x'"), R"({"a":"C:\\x"})");
  EXPECT_EQ(json_of("a = \"\"\"\nx\r\n  y\"\"\""), R"({"a":"x\n  y"})");
  EXPECT_EQ(json_of("a = \"\"\"x \\\n\n   y \"\"z\"\"\"\"\""), R"({"a":"x y \"\"z\"\""})");
  EXPECT_EQ(json_of("a = '''\n\\it's''''"), R"({"a":"\\it's'"})");
  EXPECT_EQ(json_of("a = \"\"\nb = ''"), R"({"a":"","b":""})");
}

TEST(Toml, ReadsKeysArraysAndInlineTables) {
  EXPECT_EQ(json_of("a.b . \"c d\" = 1\na.e = 2\n1-2 = 3\n'' = 4"),
            R"({"a":{"b":{"c d":1},"e":2},"1-2":3,"":4})");
  EXPECT_EQ(json_of("a = [ 1, # one\n [2, 'x'],\n {b = [], c.d = 3}, \n]"),
            R"({"a":[1,[2,"x"],{"b":[],"c":{"d":3}}]})");
  EXPECT_EQ(json_of("a = {}\nb = []"), R"({"a":{},"b":[]})");
}

TEST(Toml, ReadsArraysOfTables) {
  EXPECT_EQ(json_of("[[f]]\nn = 1\n[f.p]\nc = 2\n[[f.v]]\nx = 3\n[[f]]\n[[f.v]]\n[[f.v]]\n"),
            R"({"f":[{"n":1,"p":{"c":2},"v":[{"x":3}]},{"v":[{},{}]}]})");
}

TEST(Toml, AllowsAddingToOpenTables) {
  EXPECT_EQ(json_of("[a.b]\nx = 1\n[a]\ny = 2"), R"({"a":{"b":{"x":1},"y":2}})");
  EXPECT_EQ(json_of("[a.e.c]\n[a]\ne.f = 2"), R"({"a":{"e":{"c":{},"f":2}}})");
  EXPECT_EQ(json_of("[f]\na.t.s = true\n[f.a.x]\ny = 1"),
            R"({"f":{"a":{"t":{"s":true},"x":{"y":1}}}})");
}

struct BadToml {
  const char* text;
  uint64_t offset;
};

TEST(Toml, RejectsInvalidToml) {
  const BadToml kBad[] = {
      {"a", 1},
      {"a = ", 4},
      {"= 1", 0},
      {"a = 1 b = 2", 6},
      {"a = x", 4},
      {"a b = 1", 2},
      {"a. = 1", 3},
      {"a = 01", 4},
      {"a = 1__0", 4},
      {"a = _1", 4},
      {"a = 1_", 4},
      {"a = 1.", 4},
      {"a = .5", 4},
      {"a = 1e", 4},
      {"a = 0x", 4},
      {"a = 0b2", 4},
      {"a = +0x1", 4},
      {"a = 9223372036854775808", 4},
      {"a = 2023-02-29", 4},
      {"a = 1979-13-01", 4},
      {"a = 24:00:00", 4},
      {"a = 07:32", 4},
      {"a = True", 4},
      {"a = \"x", 4},
      {"a = \"x\ny\"", 6},
      {"a = \"\\q\"", 5},
      {"a = \"\\uD800\"", 7},
      {"a = \"\\u12\"", 7},
      {"a = 'x", 4},
      {"a = '''x''", 4},
      {"\"\"\"a\"\"\" = 1", 0},
      {"a = [1 2]", 7},
      {"a = [1,,2]", 7},
      {"a = [1", 6},
      {"a = {b = 1,}", 11},
      {"a = {b = 1\n}", 10},
      {"a = {b}", 6},
      {"[a", 2},
      {"[]", 1},
      {"[[a]", 3},
      {"[a] b = 1", 4},
      {"a = 1\na = 2", 6},
      {"a = 1\na.b = 2", 6},
      {"a.b = 1\na = 2", 8},
      {"[a]\n[a]", 4},
      {"a.b = 1\n[a]", 8},
      {"[a.b]\n[a]\nb.c = 1", 10},
      {"[a.e.c]\n[a]\ne.f = 2\n[a.e]", 20},
      {"a = {b = 1}\n[a.c]", 12},
      {"a = {b = 1}\na.c = 1", 12},
      {"a = {b.c = 1, b = 2}", 14},
      {"a = []\n[[a]]", 7},
      {"[a]\n[[a]]", 4},
      {"[[a]]\n[a]", 6},
      {"# \x01", 2},
      {"a = 'x\x7F'", 6},
      {"a = 1\r", 5},
      {"a = '\xFF'", 5},
  };
  for (const BadToml& bad : kBad) {
    const auto json = parse_toml(bad.text, 1000, "metadata");
    ASSERT_FALSE(json) << bad.text << json->dump();
    EXPECT_EQ(json.error().byte_offset, 1000 + bad.offset)
        << bad.text << " " << describe(json.error());
    EXPECT_EQ(json.error().path, "metadata");
    EXPECT_EQ(json.error().code, ErrorCode::BadValue);
  }
}

TEST(Toml, LimitsValuesAndDepth) {
  std::string deep = "a = ";
  deep.append(200, '[');
  EXPECT_EQ(parse_toml(deep).error().code, ErrorCode::LimitExceeded);
  std::string many = "a = [";
  for (int i = 0; i < 5000; ++i) many += "0,";
  EXPECT_EQ(parse_toml(many + "]").error().code, ErrorCode::LimitExceeded);
  std::string path = "a";
  for (int i = 0; i < 100; ++i) path += ".a";
  EXPECT_FALSE(parse_toml(path + " = 1"));
  EXPECT_FALSE(parse_toml("[" + path + "]"));
}

TEST(Toml, WritesTextThatReadsBackUnchanged) {
  constexpr std::string_view kText =
      "dims = 5\n"
      "lr = 0.5\n"
      "whole = 2.0\n"
      "least = -9223372036854775808\n"
      "big = inf\n"
      "\"a b\" = \"q\\\"\\u007f\\n\"\n"
      "list = [1, [], {x = 1, \"y z\" = {}}]\n"
      "\n"
      "[table]\n"
      "inner = {deep = true}\n";
  const auto json = parse_toml(kText);
  ASSERT_TRUE(json) << describe(json.error());
  EXPECT_EQ(to_toml(*json), kText);
  EXPECT_EQ(to_toml(Json::object()), "");
  Json with_null = Json::object();
  with_null.set("nothing", Json());
  EXPECT_EQ(to_toml(with_null), "");
}

}  // namespace
}  // namespace ambry::io
