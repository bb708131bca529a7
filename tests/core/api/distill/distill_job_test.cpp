#include "api/distill/distill_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "api/encoder/embed_job.h"
#include "api/model/load_model.h"
#include "api/static_encoder/load_static.h"
#include "formats/embd/make_embd.h"
#include "formats/embd/make_tokenizers.h"
#include "formats/expect_format.h"
#include "io/json/json.h"
#include "model/static_encoder/static_config.h"

namespace ambry::api {
namespace {

using formats::embd::testing::F0Maker;
using File = std::vector<uint8_t>;
using Rows = std::vector<float>;

Result<EncoderModel> session_of(const File& file) {
  return testing::load_model<EncoderModel>(file, R"({"weights":"f32"})");
}

Result<File> distill(const EncoderModel& session, std::string_view options,
                     const std::vector<std::string>& corpus = {}) {
  AMBRY_TRY(DistillJob job, begin_distill(session, options));
  for (const std::string& text : corpus) job.count(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  uint32_t progress = 0;
  for (;;) {
    AMBRY_TRY(const bool done, job.step());
    EXPECT_GE(job.progress(), progress);
    progress = job.progress();
    if (done) break;
  }
  EXPECT_EQ(progress, 1000U);
  return File(job.file().begin(), job.file().end());
}

// Eight tokens, of which `a`, `##b` and `c` are not special.
File tiny() {
  F0Maker maker;
  maker.tokens.back() = "c";
  return maker.make();
}

Result<File> distilled(std::string_view options, const std::vector<std::string>& corpus = {}) {
  AMBRY_TRY(const EncoderModel session, session_of(tiny()));
  return distill(session, options, corpus);
}

Rows vector_of(const File& file, const std::string& text) {
  const auto session = testing::load_static(file);
  if (!session) {
    ADD_FAILURE() << describe(session.error());
    return {};
  }
  return *testing::embed(*session, {text}, R"({"normalize":false})");
}

double distance(const Rows& a, const Rows& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::pow(double{a[i]} - double{b[i]}, 2);
  return std::sqrt(sum);
}

TEST(DistillJob, WritesAValidFileOfTheOtherTokens) {
  const auto file = distilled(R"({"modelName":"small"})");
  ASSERT_TRUE(file) << describe(file.error());
  const auto model = formats::testing::sound_model(*file, "embd");
  ASSERT_TRUE(model) << describe(model.error());
  const auto config = model::static_config(*model);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->vocab_size, 4U);
  EXPECT_EQ(config->embedding_dim, 4U) << "at most as many as the encoder has";
  EXPECT_EQ(model->metadata.find("model_name")->string(), "small");
  EXPECT_EQ(model->tokenizer->vocabulary[0], "[UNK]");
  EXPECT_EQ(model->tokenizer->vocabulary[1], "a");
}

// Without weights, turning the vectors leaves their distances as they are.
TEST(DistillJob, KeepsWhatTheEncoderSaysOfTokens) {
  const auto session = session_of(tiny());
  ASSERT_TRUE(session);
  const auto file = distill(*session, R"({"sif":0,"dtype":"f32"})");
  ASSERT_TRUE(file);
  const auto encoded = [&](std::string_view text) {
    auto job = EmbedJob::begin(session->runtime(), R"({"normalize":false})");
    job->add(text);
    EXPECT_TRUE(job->start());
    while (!job->step().value()) {
    }
    return Rows(job->result().begin(), job->result().end());
  };
  const double expected = distance(encoded("a"), encoded("c"));
  EXPECT_GT(expected, 0.01);
  EXPECT_NEAR(distance(vector_of(*file, "a"), vector_of(*file, "c")), expected, 1e-5);
}

TEST(DistillJob, WeighsFrequentTokensLess) {
  const auto plain = distilled(R"({"sif":0,"dtype":"f32"})");
  const auto weighted = distilled(R"({"sif":0.5,"dtype":"f32"})", {"a a a a a a a a"});
  ASSERT_TRUE(plain);
  ASSERT_TRUE(weighted);
  const auto weight = [&](const std::string& text) {
    const Rows zero(4);
    return distance(vector_of(*weighted, text), zero) / distance(vector_of(*plain, text), zero);
  };
  EXPECT_LT(weight("a"), 0.5);
  EXPECT_GT(weight("c"), 0.5);
}

TEST(DistillJob, KeepsFewerTokensAndNumbers) {
  const auto file = distilled(R"({"dim":2,"vocabSize":3,"dtype":"f16"})");
  ASSERT_TRUE(file);
  const auto session = testing::load_static(*file);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->weight_bytes(), 3U * 2U * 2U);
}

TEST(DistillJob, GivesEqualBytesForEqualInput) {
  EXPECT_EQ(*distilled("{}"), *distilled("{}"));
  EXPECT_EQ(*distilled("{}", {"a"}), *distilled("{}", {"a"}));
}

TEST(DistillJob, RefusesBadOptions) {
  for (const auto& [options, path] : {std::pair{R"({"dim":0})", "options.dim"},
                                      {R"({"sif":1})", "options.sif"},
                                      {R"({"sif":"much"})", "options.sif"},
                                      {R"({"dtype":"int4"})", "options.dtype"},
                                      {R"({"vocabSize":1})", "options.vocabSize"}}) {
    const auto file = distilled(options);
    ASSERT_FALSE(file) << options;
    EXPECT_EQ(file.error().code, ErrorCode::BadValue) << options;
    EXPECT_EQ(file.error().path, path);
  }
}

// The pieces of BPE and Unigram are made of each other, so all of them stay.
TEST(DistillJob, KeepsOtherTokenizersWhole) {
  for (F0Maker maker :
       {formats::embd::testing::bpe_maker(), formats::embd::testing::unigram_maker()}) {
    const auto session = session_of(maker.make());
    ASSERT_TRUE(session) << describe(session.error());
    const auto file = distill(*session, R"({"dtype":"f32","sif":0})");
    ASSERT_TRUE(file) << describe(file.error());
    const auto embedder = testing::load_static(*file);
    ASSERT_TRUE(embedder) << describe(embedder.error());
    const auto ids = (*session->tokenizer())
                         ->encode("a b", {.add_special = false, .max_length = std::nullopt})
                         .ids;
    EXPECT_EQ((*embedder->tokenizer())->encode("a b", {}).ids, ids) << "no special tokens";
    EXPECT_EQ(vector_of(*file, "a").size(), 4U);
    const auto pruned = distill(*session, R"({"vocabSize":4})");
    ASSERT_FALSE(pruned);
    EXPECT_EQ(pruned.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(pruned.error().path, "options.vocabSize");
  }
}

}  // namespace
}  // namespace ambry::api
