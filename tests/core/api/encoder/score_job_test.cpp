#include "api/encoder/score_job.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "api/encoder/encoder_model.h"
#include "api/model/load_model.h"
#include "formats/embd/make_embd.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using formats::embd::testing::F0Maker;
using formats::embd::testing::File;
using formats::embd::testing::Tensor;

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// The tiny encoder with a head of so many labels.
F0Maker with_head(size_t n_labels = 2) {
  F0Maker maker;
  maker.tensors.push_back({"pooler.dense.weight", {4, 4}});
  maker.tensors.push_back({"pooler.dense.bias", {4}});
  maker.tensors.push_back({"classifier.weight", {static_cast<uint32_t>(n_labels), 4}});
  maker.tensors.push_back({"classifier.bias", {static_cast<uint32_t>(n_labels)}});
  std::string labels = "{";
  for (size_t i = 0; i < n_labels; ++i) {
    labels += (i > 0 ? "," : "") + ("\"" + std::to_string(i)) + "\":\"L" + std::to_string(i) + "\"";
  }
  maker.metadata.emplace_back("id2label", labels + "}");
  return maker;
}

Result<EncoderModel> session_of(F0Maker maker) {
  return testing::load_model<EncoderModel>(maker.make());
}

struct Scored {
  std::vector<float> logits;
  size_t steps = 0;
};

Result<Scored> score(const EncoderModel& session,
                     const std::vector<std::pair<std::string, std::string>>& pairs,
                     std::string_view options = "{}") {
  AMBRY_TRY(ScoreJob job, ScoreJob::begin(session.runtime(), options));
  for (const auto& [first, second] : pairs) job.add_pair(first, second);
  AMBRY_RETURN_IF_ERROR(job.start());
  Scored scored;
  for (bool done = false; !done; ++scored.steps) {
    AMBRY_TRY(done, job.step());
  }
  EXPECT_EQ(job.done_texts(), pairs.size());
  scored.logits.assign(job.result().begin(), job.result().end());
  return scored;
}

TEST(ScoreJob, GivesARowOfLogitsForEachPair) {
  const auto session = session_of(with_head(3));
  ASSERT_TRUE(session) << describe(session.error());
  const auto all = score(*session, {{"a", "ab"}, {"", "a"}, {"a", ""}, {"a", "ab"}});
  ASSERT_TRUE(all) << describe(all.error());
  ASSERT_EQ(all->logits.size(), 12U);
  const std::vector<float> first(all->logits.begin(), all->logits.begin() + 3);
  const std::vector<float> last(all->logits.end() - 3, all->logits.end());
  EXPECT_EQ(first, last);
  EXPECT_EQ(first, score(*session, {{"a", "ab"}})->logits);
  // The order within a pair counts: token types tell the texts apart.
  EXPECT_NE(score(*session, {{"ab", "a"}})->logits, first);
}

TEST(ScoreJob, TakesTextsWithoutASecondOne) {
  const auto session = session_of(with_head(1));
  ASSERT_TRUE(session);
  auto job = ScoreJob::begin(session->runtime(), "{}");
  ASSERT_TRUE(job);
  job->add("ab a");
  job->add("");
  ASSERT_TRUE(job->start());
  while (!job->step().value()) {
  }
  ASSERT_EQ(job->result().size(), 2U);
  EXPECT_NE(job->result()[0], job->result()[1]);
  EXPECT_EQ(job->dim(), 1U);
}

TEST(ScoreJob, TakesNoTexts) {
  const auto session = session_of(with_head());
  ASSERT_TRUE(session);
  const auto none = score(*session, {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->logits.empty());
}

TEST(ScoreJob, CutsTheLongerText) {
  const auto session = session_of(with_head());  // takes 6 tokens, 3 of which are special
  ASSERT_TRUE(session);
  const auto cut = score(*session, {{"a", "a a a a a a"}});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->logits, score(*session, {{"a", "a a"}})->logits);
  // A query that is as long as the model leaves room for the other text.
  const auto both = score(*session, {{"a a a a a a a", "ab ab ab"}});
  ASSERT_TRUE(both);
  // Both are read up to six tokens, so that none is longer, and Hugging Face gives the odd one to
  // the second.
  EXPECT_EQ(both->logits, score(*session, {{"a", "ab"}})->logits);
}

TEST(ScoreJob, RefusesLongTextsWhereTheyMustNotBeCut) {
  const auto session = session_of(with_head());
  ASSERT_TRUE(session);
  const auto refused =
      score(*session, {{"a", "a"}, {"a", "a a a"}}, R"({"truncate":"error","list":"documents"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(refused.error().path, "documents[1]");
  EXPECT_NE(refused.error().message.find("7 tokens"), std::string::npos);
  EXPECT_TRUE(score(*session, {{"a", "a a"}}, R"({"truncate":"error"})"));
}

TEST(ScoreJob, RefusesOptions) {
  const auto session = session_of(with_head());
  ASSERT_TRUE(session);
  EXPECT_EQ(ScoreJob::begin(session->runtime(), R"({"truncate":"start"})").error().path,
            "options.truncate");
  EXPECT_EQ(ScoreJob::begin(session->runtime(), R"({"list":3})").error().path, "options.list");
  EXPECT_FALSE(ScoreJob::begin(session->runtime(), "{"));
}

TEST(ScoreJob, RefusesAnEncoderWithoutAHead) {
  const auto session = session_of(F0Maker());
  ASSERT_TRUE(session);
  const auto refused = ScoreJob::begin(session->runtime(), "{}");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_NE(refused.error().message.find("no classification head"), std::string::npos);
}

TEST(ScoreJob, RefusesLogitsThatAreNoNumbers) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    F0Maker maker = with_head(1);
    maker.tensors.back().data = bytes_of({bad});
    const auto session = session_of(maker);
    ASSERT_TRUE(session) << describe(session.error());
    const auto refused = score(*session, {{"a", "a"}, {"a", "ab"}}, R"({"list":"documents"})");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_TRUE(refused.error().path.starts_with("documents[")) << refused.error().path;
  }
}

TEST(ScoreJob, FilesWithAnIncompleteHeadDoNotLoad) {
  F0Maker unlabelled = with_head();
  unlabelled.metadata.pop_back();
  const auto without = session_of(unlabelled);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::NotFound);
  EXPECT_EQ(without.error().path, "metadata.id2label");

  F0Maker fewer = with_head();
  fewer.metadata.back().second = R"({"0":"only"})";
  const auto differs = session_of(fewer);
  ASSERT_FALSE(differs);
  EXPECT_EQ(differs.error().code, ErrorCode::Mismatch);
  EXPECT_NE(differs.error().byte_offset, kNoOffset);
}

TEST(EncoderModel, StatesItsHead) {
  F0Maker maker = with_head(2);
  maker.metadata.emplace_back("problem_type", "multi_label_classification");
  const auto session = session_of(maker);
  ASSERT_TRUE(session);
  const auto info = io::parse_json(session->info());
  EXPECT_EQ(
      info->find("config")->find("classificationHead")->dump(),
      R"({"labels":["L0","L1"],"problemType":"multi_label_classification","scoreActivation":"identity"})");
  const auto plain = session_of(F0Maker());
  EXPECT_EQ(io::parse_json(plain->info())->find("config")->find("classificationHead"), nullptr);
  // Weights count the head.
  EXPECT_GT(session->weight_bytes(), plain->weight_bytes());
}

}  // namespace
}  // namespace ambry::api
