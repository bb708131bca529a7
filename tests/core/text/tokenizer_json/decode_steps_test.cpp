#include "text/tokenizer_json/decode_steps.h"

#include <gtest/gtest.h>

#include <utility>

namespace ambry::text {
namespace {

std::string decoded(std::string_view component, TokenTexts texts) {
  const auto steps = read_decode_steps(component);
  if (!steps) return describe(steps.error());
  for (const auto& step : *steps) step->run(texts);
  return joined(texts);
}

// The texts are those of npm tokenizers 0.23.2 (tests/web/tokenizer/decoders.test.ts compares
// more).
TEST(DecodeSteps, MakeTextAsTheLibraryDoes) {
  EXPECT_EQ(decoded("null", {"a", "##b", "."}), "a ##b .");
  EXPECT_EQ(decoded("null", {}), "");
  EXPECT_EQ(decoded(R"({"type":"WordPiece","prefix":"##","cleanup":false})", {"a", "##b", "."}),
            "ab .");
  EXPECT_EQ(decoded(R"({"type":"WordPiece","prefix":"@@"})", {"a", "@@b", "##c", "."}), "ab ##c.");
  EXPECT_EQ(
      decoded(R"({"type":"Metaspace","replacement":"_","prepend_scheme":"always"})", {"__a", "_b"}),
      "a b");
  EXPECT_EQ(
      decoded(R"({"type":"Metaspace","replacement":"_","add_prefix_space":false})", {"_a", "_b"}),
      " a b");
  EXPECT_EQ(decoded(R"({"type":"BPEDecoder","suffix":"</w>"})", {"a", "b</w>", "c</w>"}), "ab c");
  EXPECT_EQ(decoded(R"({"type":"ByteLevel"})", {"Ġa", "\u00c3", "\u00a9", "\u6f22"}),
            " a\u00e9\u6f22");
  EXPECT_EQ(decoded(R"({"type":"CTC","pad_token":"<p>","word_delimiter_token":"|"})",
                    {"a", "a", "<p>", "a", "|", "b"}),
            "aa b");
  EXPECT_EQ(decoded(R"({"type":"Sequence","decoders":[
      {"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},
      {"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]})",
                    {"▁▁a", "<0xC3>", "<0xa9>", "<0xFF>", "▁b"}),
            " a\ufffd\ufffd\ufffd b");
  EXPECT_EQ(decoded(R"({"type":"ByteFallback"})", {"<0xC3>", "<0xA9>", "x", "<0x4G>"}),
            "\u00e9x<0x4G>");
  EXPECT_EQ(decoded(R"({"type":"Strip","content":"x","start":1,"stop":2})", {"xxaxxx", "x"}),
            "xax");
}

TEST(DecodeSteps, NameWhatTheyDoNotKnow) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"type":"Odd"})", "the step Odd is not supported"},
      {R"({})", "the step without a type"},
      {R"({"type":"Replace","pattern":{"Regex":"a+"},"content":""})", "Replace by an expression"},
      {R"({"type":"Sequence"})", "needs decoders"},
      {R"({"type":"Sequence","decoders":[null]})", "is null"},
      {R"({"type":"WordPiece","cleanup":3})", "cleanup"}};
  for (const auto& [component, message] : rows) {
    const std::string refused = decoded(component, {"a"});
    EXPECT_NE(refused.find(message), std::string::npos) << refused;
    EXPECT_NE(refused.find("tokenizer.json.decoder"), std::string::npos) << refused;
  }
}

// Forty replacements that double a text would take a terabyte.
TEST(DecodeSteps, AreBounded) {
  const auto sequence = [](std::string_view step, int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i > 0 ? "," : "") + std::string(step);
    return R"({"type":"Sequence","decoders":[)" + list + "]}";
  };
  const char* doubles = R"({"type":"Replace","pattern":{"String":"a"},"content":"aa"})";
  EXPECT_EQ(decoded(sequence(doubles, 6), {"a"}).size(), 64U);
  const std::pair<std::string, const char*> rows[] = {
      {sequence(doubles, 7), "make a text more than 64 times as long"},
      {sequence(R"({"type":"Fuse"})", 65), "more than 64 steps"}};
  for (const auto& [component, message] : rows) {
    const std::string refused = decoded(component, {"a"});
    EXPECT_NE(refused.find("LimitExceeded"), std::string::npos) << refused;
    EXPECT_NE(refused.find(message), std::string::npos) << refused;
  }
}

}  // namespace
}  // namespace ambry::text
