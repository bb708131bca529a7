#include "model/tokenizer/files/unigram_file.h"

#include <gtest/gtest.h>

#include <string>

namespace ambry::model {
namespace {

std::string file_with(const std::string& normalizer) {
  return R"({"normalizer":)" + normalizer +
         R"(,"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-12.130167007446289]]}})";
}

TEST(UnigramFile, TakesAFileApartAndPutsItTogetherAgain) {
  auto file =
      read_unigram_file(file_with(R"({"type":"Sequence","normalizers":[{"type":"NFKD"},)"
                                  R"({"type":"Precompiled","precompiled_charsmap":"AAEC"}]})"));
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->pieces[1], "a");
  EXPECT_EQ(file->scores[1], -12.130167007446287);  // as Hugging Face's library reads it
  EXPECT_EQ(file->charsmap, std::string("\0\1\2", 3));
  EXPECT_EQ(file->root.dump(),
            R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKD"},)"
            R"({"type":"Precompiled"}]},"model":{"type":"Unigram","unk_id":0}})");

  TokenizerData data = unigram_tokenizer(*file);
  EXPECT_EQ(data.kind, TokenizerKind::Unigram);
  const auto again = open_unigram(data);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(again->root.dump(), file->root.dump());
  EXPECT_EQ(again->scores, file->scores);
  EXPECT_EQ(again->charsmap, file->charsmap);
}

TEST(UnigramFile, StatesTheTypeThatOlderFilesLeaveOut) {
  const auto file = read_unigram_file(R"({"model":{"unk_id":0,"vocab":[["a",0]]}})");
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->root.dump(), R"({"model":{"unk_id":0,"type":"Unigram"}})");
}

TEST(UnigramFile, LowersTextsBeforeItsOtherSteps) {
  for (const auto& [before, after] :
       {std::pair("null", R"([{"type":"Lowercase"}])"),
        {R"({"type":"NFC"})", R"([{"type":"Lowercase"},{"type":"NFC"}])"},
        {R"({"type":"Sequence","normalizers":[{"type":"NFC"}]})",
         R"([{"type":"Lowercase"},{"type":"NFC"}])"}}) {
    auto file = read_unigram_file(file_with(before));
    ASSERT_TRUE(file);
    TokenizerData data = unigram_tokenizer(std::move(*file));
    ASSERT_TRUE(lower_unigram_texts(data));
    EXPECT_NE(data.payload.find(std::string(R"("normalizers":)") + after), std::string::npos)
        << data.payload;
  }
}

void expect_refused(const std::string& text, ErrorCode code, std::string_view path) {
  const auto file = read_unigram_file(text);
  ASSERT_FALSE(file) << text;
  EXPECT_EQ(file.error().code, code) << describe(file.error());
  EXPECT_EQ(file.error().path, path);
}

TEST(UnigramFile, RefusesDamagedFiles) {
  expect_refused(R"({"model":{"type":"BPE"}})", ErrorCode::Unsupported, "tokenizer.json.model");
  expect_refused(R"({"model":{"type":"Unigram","vocab":[]}})", ErrorCode::BadValue,
                 "tokenizer.json.model.vocab");
  expect_refused(R"({"model":{"type":"Unigram","vocab":[["a"]]}})", ErrorCode::BadValue,
                 "tokenizer.json.model.vocab");
  expect_refused(file_with(R"({"type":"Precompiled","precompiled_charsmap":"*"})"),
                 ErrorCode::BadValue, "tokenizer.json.normalizer");
  constexpr const char* kMap = R"({"type":"Precompiled","precompiled_charsmap":"AAEC"})";
  expect_refused(
      file_with(std::string(R"({"type":"Sequence","normalizers":[)") + kMap + "," + kMap + "]}"),
      ErrorCode::Unsupported, "tokenizer.json.normalizer");
}

TEST(UnigramFile, RefusesPartsThatDoNotFit) {
  TokenizerData data;
  data.kind = TokenizerKind::Unigram;
  data.payload = R"({"model":{"type":"Unigram"}})";
  data.vocabulary.push_back("a");
  EXPECT_EQ(open_unigram(data).error().code, ErrorCode::Mismatch);
  data.payload = "[]";
  EXPECT_EQ(open_unigram(data).error().code, ErrorCode::BadValue);
  data.payload_offset = 100;
  data.payload = R"({"model")";
  EXPECT_EQ(open_unigram(data).error().byte_offset, 108U);
}

}  // namespace
}  // namespace ambry::model
