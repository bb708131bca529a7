// Embeds texts with small AMB files (make_amb.h), whose tokenizer is SentencePiece's.
#include "api/decoder/text_embedding_job.h"

#include <gtest/gtest.h>

#include <cmath>

#include "api/decoder/open_generator.h"
#include "formats/amb/make_amb.h"

namespace ambry::api {
namespace {

using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;
using testing::File;
using testing::open_generator;
using testing::run;
using Texts = std::vector<std::string>;
using Vectors = std::vector<std::vector<float>>;

constexpr const char* kLast =
    R"(, "embedding": {"pooling": "lasttoken",
        "prompts": {"query": "Instruct: ab\nQuery:", "passage": "ba"}})";

File embedding_file(std::string_view more = kLast) {
  AmbMaker maker;
  maker.config = tiny_config(more);
  return maker.make();
}

GeneratorModel embedding_session(const File& file, std::string_view settings = "{}") {
  auto session = open_generator(file, settings);
  EXPECT_TRUE(session) << describe(session.error());
  return std::move(session).value();
}

Result<Vectors> embed_in(GeneratorModel& session, const File& file, const Texts& texts,
                         std::string_view options) {
  AMBRY_TRY(TextEmbeddingJob job, TextEmbeddingJob::begin(session.generator(), options));
  for (const std::string& text : texts) job.add(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  for (bool done = false; !done;) {
    AMBRY_TRY(done, job.step());
    if (!job.part()) continue;
    AMBRY_TRY(const std::string places, session.room_for(*job.part()));
    AMBRY_RETURN_IF_ERROR(testing::give(session, file, places));
  }
  Vectors vectors;
  size_t at = 0;
  for (const uint32_t rows : job.row_counts()) {
    const auto values = job.result().subspan(at, size_t{rows} * job.dim());
    vectors.emplace_back(values.begin(), values.end());
    at += values.size();
  }
  EXPECT_EQ(at, job.result().size());
  return vectors;
}

Result<Vectors> embed_texts(const File& file, const Texts& texts, std::string_view options = "{}") {
  GeneratorModel session = embedding_session(file);
  return embed_in(session, file, texts, options);
}

Vectors embedded_texts(const File& file, const Texts& texts, std::string_view options = "{}") {
  auto vectors = embed_texts(file, texts, options);
  EXPECT_TRUE(vectors) << describe(vectors.error());
  return vectors ? std::move(*vectors) : Vectors(texts.size());
}

void expect_refused(const File& file, const Texts& texts, std::string_view options, ErrorCode code,
                    std::string_view path) {
  const auto vectors = embed_texts(file, texts, options);
  ASSERT_FALSE(vectors) << options;
  EXPECT_EQ(vectors.error().code, code) << describe(vectors.error());
  EXPECT_EQ(vectors.error().path, path) << describe(vectors.error());
}

TEST(TextEmbedding, ARowDoesNotDependOnTheOtherTexts) {
  const File file = embedding_file();
  const Texts texts = {"ab", "a", "abab b", "c"};
  const Vectors together = embedded_texts(file, texts);
  ASSERT_EQ(together.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(together[i], embedded_texts(file, {texts[i]})[0]) << texts[i];
    double sum = 0;
    for (const float x : together[i]) sum += double{x} * double{x};
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(TextEmbedding, StreamedWeightsGiveTheSameBits) {
  const File file = embedding_file();
  GeneratorModel whole = embedding_session(file);
  GeneratorModel streamed = embedding_session(file, R"({"resident": 1500})");
  const auto expected = embed_in(whole, file, {"ab", "a b"}, "{}");
  const auto vectors = embed_in(streamed, file, {"ab", "a b"}, "{}");
  ASSERT_TRUE(expected && vectors);
  EXPECT_EQ(*vectors, *expected);
}

TEST(TextEmbedding, GivesTheStateOfEachTokenWithoutPooling) {
  const File file = embedding_file();
  const Vectors rows = embedded_texts(file, {"ab", "abab b"}, R"({"pooling": "none"})");
  ASSERT_EQ(rows[0].size() % 8, 0U);
  EXPECT_GT(rows[1].size(), rows[0].size());
  // The last one, scaled, is the text's vector.
  std::vector<float> last(rows[1].end() - 8, rows[1].end());
  infer::normalize(last);
  EXPECT_EQ(last, embedded_texts(file, {"abab b"})[0]);
}

TEST(TextEmbedding, CutsVectorsBeforeItNormalizesThem) {
  const File file = embedding_file();
  std::vector<float> cut = embedded_texts(file, {"ab"}, R"({"normalize": false})")[0];
  cut.resize(3);
  infer::normalize(cut);
  EXPECT_EQ(embedded_texts(file, {"ab"}, R"({"dim": 3})")[0], cut);
}

TEST(TextEmbedding, TakesPromptsByNameByTextAndByInstruction) {
  const File file = embedding_file();
  const Vectors plain =
      embedded_texts(file, {"b", "bab", "Instruct: ab\nQuery:b", "Instruct: cc\nQuery:b"});
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"prompt": "passage"})")[0], plain[1]);
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"promptName": "passage"})")[0], plain[1]);
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"prompt": "ba"})")[0], plain[1]);
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"promptName": "query"})")[0], plain[2]);
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"instruction": "cc"})")[0], plain[3]);
  EXPECT_NE(plain[2], plain[3]);
}

TEST(TextEmbedding, TakesTheInstructionOfPromptsWithMarks) {
  const File file = embedding_file(
      R"(, "embedding": {"prompts": {"web": "<instruct>ab\n<query>", "none": "ab\nc"}})");
  const Vectors whole = embedded_texts(file, {"<instruct>cc\n<query>b", "<instruct>ab\n<query>b"});
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"instruction": "cc"})")[0], whole[0]);
  EXPECT_EQ(embedded_texts(file, {"b"}, R"({"promptName": "web"})")[0], whole[1]);
  EXPECT_NE(whole[0], whole[1]);
}

TEST(TextEmbedding, RefusesBadOptions) {
  const File file = embedding_file();
  using enum ErrorCode;
  expect_refused(file, {"a"}, R"({"pooling": "weighted"})", BadValue, "options.pooling");
  expect_refused(file, {"a"}, R"({"dim": 9})", BadValue, "options.dim");
  expect_refused(file, {"a"}, R"({"dim": 0})", BadValue, "options.dim");
  expect_refused(file, {"a"}, R"({"truncate": "start"})", BadValue, "options.truncate");
  expect_refused(file, {"a"}, R"({"promptName": "title"})", NotFound, "options.promptName");
  expect_refused(file, {"a"}, R"({"prompt": "a", "instruction": "b"})", BadValue,
                 "options.instruction");
}

TEST(TextEmbedding, RefusesAnInstructionWhereTheModelHasNoPromptForOne) {
  const File file = embedding_file(R"(, "embedding": {"prompts": {"query": "query: "}})");
  expect_refused(file, {"a"}, R"({"instruction": "find"})", ErrorCode::Unsupported,
                 "options.instruction");
}

TEST(TextEmbedding, CutsLongTextsOrRefusesThem) {
  const File file = embedding_file(R"(, "embedding": {"max_seq_len": 4})");
  const Vectors rows = embedded_texts(file, {"c c c c c c c c"}, R"({"pooling": "none"})");
  EXPECT_EQ(rows[0].size(), 4U * 8);
  expect_refused(file, {"a", "c c c c c c c c"}, R"({"truncate": "error"})",
                 ErrorCode::LimitExceeded, "texts[1]");
}

TEST(TextEmbedding, RefusesATextWithoutTokens) {
  const File file =
      embedding_file(R"(, "embedding": {}, "tokenizer": {"add_bos": false, "add_eos": false})");
  expect_refused(file, {"a", ""}, "{}", ErrorCode::BadValue, "texts[1]");
}

TEST(TextEmbedding, NeedsAPoolingFromAModelThatStatesNone) {
  const File file = embedding_file("");
  expect_refused(file, {"a"}, "{}", ErrorCode::BadValue, "options.pooling");
  EXPECT_EQ(embedded_texts(file, {"ab"}, R"({"pooling": "lasttoken"})"),
            embedded_texts(embedding_file(), {"ab"}));
}

TEST(TextEmbedding, DescribesItselfAsSentenceEncodersDo) {
  const auto info = io::parse_json(embedding_session(embedding_file()).info());
  const io::Json& config = *info->find("config");
  EXPECT_EQ(config.find("embeddingDim")->uint(), 8U);
  EXPECT_EQ(config.find("hiddenSize")->uint(), 8U);
  EXPECT_EQ(config.find("pooling")->string(), "lasttoken");
  EXPECT_EQ(config.find("maxSeqLength")->uint(), 16U);
  EXPECT_EQ(config.find("prompts")->find("passage")->string(), "ba");
  EXPECT_TRUE(config.find("defaultPrompt")->is_null());
}

TEST(TextEmbedding, ABidirectionalModelRefusesToGenerate) {
  const File file =
      embedding_file(R"(, "bidirectional_attention": true, "embedding": {"pooling": "mean"})");
  GeneratorModel session = embedding_session(file);
  const auto job = GenerateJob::begin(session.generator(), "a", "{}");
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(job.error().path, "model");
  EXPECT_TRUE(embed_in(session, file, {"ab"}, "{}"));
}

}  // namespace
}  // namespace ambry::api
