#include "text/unicode/charsmap.h"

#include <gtest/gtest.h>

#include "text/sentencepiece/make_charsmap.h"

namespace ambry::text {
namespace {

Result<Charsmap> read(const std::string& bytes) { return Charsmap::create(as_bytes(bytes), "m"); }

CharsmapMaker small_map() {
  return CharsmapMaker(
      CharsmapMaker::Rules{{"a", "x"}, {"abc", "yz"}, {"\xC3\x85", "A"}, {"b", ""}});
}

void expect_refused(const std::string& bytes, ErrorCode code, std::string_view words) {
  const auto made = read(bytes);
  ASSERT_FALSE(made) << words;
  EXPECT_EQ(made.error().code, code);
  EXPECT_EQ(made.error().path, "m.precompiled_charsmap");
  EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
}

TEST(Charsmap, FindsTheLongestAndTheShortestKey) {
  const auto map = read(small_map().bytes());
  ASSERT_TRUE(map) << describe(map.error());
  EXPECT_EQ(map->longest("abcd")->replacement, "yz");
  EXPECT_EQ(map->longest("abcd")->n_bytes, 3U);
  EXPECT_EQ(map->longest("abd")->replacement, "x");
  EXPECT_EQ(map->longest("abd")->n_bytes, 1U);
  EXPECT_EQ(map->longest("\xC3\x85")->replacement, "A");
  EXPECT_EQ(map->longest("b")->replacement, "");
  EXPECT_FALSE(map->longest("c"));
  EXPECT_FALSE(map->longest("\xC3"));
  EXPECT_FALSE(map->longest(std::string_view("\0", 1)));
  EXPECT_EQ(map->shortest("abcd")->replacement, "x");
  EXPECT_EQ(map->shortest("abcd")->n_bytes, 1U);
}

TEST(Charsmap, ReadsNoBytesAsAnEmptyMap) {
  const auto map = read("");
  ASSERT_TRUE(map);
  EXPECT_TRUE(map->empty());
  EXPECT_FALSE(map->longest("a"));
}

TEST(Charsmap, ReadsOrRejectsEveryPrefix) {
  const std::string bytes = small_map().bytes();
  for (size_t size = 1; size < bytes.size(); ++size) {
    const auto map = read(bytes.substr(0, size));
    if (!map) continue;
    EXPECT_TRUE(map->longest("abc"));
  }
}

TEST(Charsmap, RejectsATrieThatDoesNotFit) {
  std::string bytes = small_map().bytes();
  expect_refused(bytes.substr(0, 3), ErrorCode::BadValue, "too short for its size field");
  expect_refused(bytes.substr(0, 400), ErrorCode::BadValue,
                 "the trie has 2048 bytes, but 396 remain");
  bytes[0] = 2;
  expect_refused(bytes, ErrorCode::BadValue, "the trie has 2050 bytes");
  expect_refused(std::string(8, '\0'), ErrorCode::BadValue, "the trie has 0 bytes");
  std::string large(size_t{5} << 20, '\0');
  large[2] = 0x48;  // 4.5 MiB
  expect_refused(large, ErrorCode::LimitExceeded, "at most");
}

TEST(Charsmap, RejectsReplacementsOutsideTheMap) {
  CharsmapMaker maker = small_map();
  for (uint32_t& unit : maker.units()) {
    if (unit >> 31 != 0) unit = 1U << 31 | 1000;
  }
  expect_refused(maker.bytes(), ErrorCode::BadValue, "lies outside");
}

TEST(Charsmap, RejectsAReplacementThatStartsInsideACharacter) {
  CharsmapMaker maker(CharsmapMaker::Rules{{"a", "\xC3\x85"}});
  for (uint32_t& unit : maker.units()) {
    if (unit >> 31 != 0) ++unit;
  }
  expect_refused(maker.bytes(), ErrorCode::BadValue, "lies outside");
}

TEST(Charsmap, RejectsReplacementsWithoutANulOrInvalidUtf8) {
  CharsmapMaker maker = small_map();
  maker.replacements().pop_back();
  expect_refused(maker.bytes(), ErrorCode::BadValue,
                 "the last replacement does not end with a NUL");
  maker.replacements() += "\xFF";
  maker.replacements() += '\0';
  expect_refused(maker.bytes(), ErrorCode::BadValue, "not valid UTF-8");
  maker.replacements().clear();
  expect_refused(maker.bytes(), ErrorCode::BadValue,
                 "the last replacement does not end with a NUL");
}

// The child of the node "ab" for the byte 'b' is the node itself, so a key never ends.
TEST(Charsmap, RejectsATrieWithACycle) {
  CharsmapMaker maker(CharsmapMaker::Rules{{"ab", "x"}});
  std::vector<uint32_t>& units = maker.units();
  const auto child = [&](uint32_t node, uint32_t label) {
    return node ^ (units[node] >> 10) ^ label;
  };
  const uint32_t a = child(0, 'a');
  const uint32_t b = child(a, 'b');
  ASSERT_EQ(units[b] & 0xFF, uint32_t{'b'});
  units[b] = uint32_t{'b'} << 10 | 'b';
  expect_refused(maker.bytes(), ErrorCode::BadValue, "a key has no end or more than 256 bytes");
}

TEST(Charsmap, RejectsALeafOutsideTheArray) {
  CharsmapMaker maker(CharsmapMaker::Rules{{"a", "x"}});
  for (uint32_t& unit : maker.units()) {
    if ((unit & 0x100U) != 0) unit |= 0x1FFFFFU << 10;
  }
  expect_refused(maker.bytes(), ErrorCode::BadValue, "lies outside");
}

TEST(Charsmap, RejectsVeryLongKeys) {
  const std::string key(256, 'k');
  EXPECT_TRUE(read(CharsmapMaker(CharsmapMaker::Rules{{key, "x"}}).bytes()));
  expect_refused(CharsmapMaker(CharsmapMaker::Rules{{key + 'k', "x"}}).bytes(), ErrorCode::BadValue,
                 "more than 256");
}

}  // namespace
}  // namespace ambry::text
