#include "text/unicode/utf8_stream.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace ambry::text {
namespace {

using IllFormed = Utf8Stream::IllFormed;

std::string all(Utf8Stream stream, std::string_view bytes) {
  std::string out;
  for (const char& byte : bytes) stream.push(std::string_view(&byte, 1), out);
  stream.finish(out);
  return out;
}

TEST(Utf8Stream, WaitsForCompleteCharacters) {
  Utf8Stream stream(IllFormed::Byte);
  std::string out;
  stream.push("a\xF0\x9F", out);
  EXPECT_EQ(out, "a");
  stream.push("\x98\x80\xE2", out);
  EXPECT_EQ(out, "a\xF0\x9F\x98\x80");
  stream.finish(out);
  EXPECT_EQ(out, "a\xF0\x9F\x98\x80\xEF\xBF\xBD");
}

TEST(Utf8Stream, ReplacesIllFormedBytesAsRequested) {
  const std::string two = "\xEF\xBF\xBD\xEF\xBF\xBD";
  EXPECT_EQ(all(Utf8Stream(IllFormed::Byte),
                "\xF0\x9F"
                "b"),
            two + "b");
  EXPECT_EQ(all(Utf8Stream(IllFormed::Subpart),
                "\xF0\x9F"
                "b"),
            "\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(all(Utf8Stream(IllFormed::Byte), "\xF0\x9F"), two);
  EXPECT_EQ(all(Utf8Stream(IllFormed::Subpart), "\x80\xC0"), two);
}

TEST(Utf8Stream, MatchesReplacingAtOnce) {
  const std::string_view bytes =
      "\x80"
      "a\xE2\x82\xAC\xE2\x82\xF0\x90\xED\xA0\x80\xF4\x90z\xC3";
  for (size_t i = 0; i <= bytes.size(); ++i) {
    for (size_t j = i; j <= bytes.size(); ++j) {
      const std::string_view part = bytes.substr(i, j - i);
      EXPECT_EQ(all(Utf8Stream(IllFormed::Subpart), part), replace_invalid_utf8(part));
    }
  }
}

}  // namespace
}  // namespace ambry::text
