#include "text/sentencepiece/sentencepiece_normalizer.h"

#include <gtest/gtest.h>

#include "text/sentencepiece/make_charsmap.h"

namespace ambry::text {
namespace {

struct Case {
  SpaceOptions spaces;
  const char* text;
  const char* normalized;  // with _ for the space mark
};

NormalizedText normalize(const SpaceOptions& spaces, std::string_view text, bool dummy = true,
                         const PieceTrie& verbatim = {}) {
  const std::string rules =
      CharsmapMaker(
          CharsmapMaker::Rules{{"\xEF\xBC\xA1", "A"}, {"\t", " "}, {"ff", "f  f"}, {"-", ""}})
          .bytes();
  SentencePieceNormalizer normalizer(std::move(Charsmap::create(as_bytes(rules), "m")).value(),
                                     spaces);
  NormalizedText out;
  normalizer.normalize(text, verbatim, dummy, out);
  EXPECT_EQ(out.origins.size(), out.text.size() + 1);
  return out;
}

std::string readable(std::string text) {
  for (size_t at = 0; (at = text.find(kSpaceMark)) != std::string::npos;) text.replace(at, 3, "_");
  return text;
}

constexpr SpaceOptions kDefault = {};
constexpr SpaceOptions kKeep = {true, false, true, false};
constexpr SpaceOptions kPlainKeep = {false, false, true, false};
constexpr SpaceOptions kLiteral = {true, false, false, false};
constexpr SpaceOptions kSuffix = {true, true, true, true};

TEST(SentencePieceNormalizer, NormalizesSpaces) {
  const Case kCases[] = {
      {kDefault, "a  b ", "_a_b"},  {kDefault, "  a", "_a"},   {kDefault, "\t a\t\tb", "_a_b"},
      {kDefault, "", ""},           {kDefault, " \t ", ""},    {kDefault, "ff", "_f__f"},
      {kKeep, " a  b ", "__a__b_"}, {kKeep, "", ""},           {kKeep, "ff", "_f__f"},
      {kPlainKeep, " a", "_a"},     {kLiteral, " a", "  a"},   {kSuffix, " a b ", "a_b_"},
      {kDefault, "-", ""},          {kDefault, "a -b", "_a_b"}};
  for (const Case& c : kCases) EXPECT_EQ(readable(normalize(c.spaces, c.text).text), c.normalized);
}

TEST(SentencePieceNormalizer, AppliesTheCharsmap) {
  EXPECT_EQ(readable(normalize(kDefault, "\xEF\xBC\xA1x").text), "_Ax");
}

TEST(SentencePieceNormalizer, ReplacesEachIllFormedByte) {
  EXPECT_EQ(normalize(kPlainKeep,
                      "\xE2\x82"
                      "a")
                .text,
            "\xEF\xBF\xBD\xEF\xBF\xBD"
            "a");
}

TEST(SentencePieceNormalizer, KeepsUserDefinedPieces) {
  model::Vocabulary vocabulary;
  vocabulary.push_back("ff");
  vocabulary.push_back("\t\t");
  const std::vector<uint32_t> ids = {0, 1};
  const PieceTrie verbatim = std::move(PieceTrie::build(vocabulary, ids)).value();
  EXPECT_EQ(readable(normalize(kDefault, "\t\tff\t", true, verbatim).text), "_\t\tff");
}

TEST(SentencePieceNormalizer, CanLeaveOutTheDummyPrefix) {
  EXPECT_EQ(readable(normalize(kKeep, "a", false).text), "a");
}

TEST(SentencePieceNormalizer, KeepsTheOriginsOfBytes) {
  const NormalizedText out = normalize(kDefault, " \xEF\xBC\xA1  b ");
  EXPECT_EQ(readable(out.text), "_A_b");
  // The three bytes of the mark, A, the next mark, b, the end.
  EXPECT_EQ(out.origins, (std::vector<uint32_t>{1, 1, 1, 1, 4, 4, 4, 6, 7}));
}

}  // namespace
}  // namespace ambry::text
