// Jobs with several answers: what they report, what they share, and bad input.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/decoder/synthetic_job.h"

namespace ambry::api {
namespace {

using io::Json;
using testing::run;
using testing::SyntheticGenerator;

std::string ids_of(size_t n, size_t last = 1) {
  std::string text = "[";
  for (size_t i = 0; i + 1 < n; ++i) text += std::to_string(5 + i % 20) + ",";
  return text + std::to_string(last) + "]";
}

class SeveralAnswers : public ::testing::Test {
 protected:
  Result<GenerateJob> begin(std::string_view options) const {
    return GenerateJob::begin(generator_.generator, "", options);
  }

  void expect_refused(std::string_view options, ErrorCode code, std::string_view path) const {
    SCOPED_TRACE(options);
    const auto job = begin(options);
    ASSERT_FALSE(job);
    EXPECT_EQ(job.error().code, code) << job.error().message;
    EXPECT_EQ(job.error().path, path);
  }

  // The reports of all steps, of a model whose weights are in memory.
  static std::vector<Json> reports_of(GenerateJob& job) {
    std::vector<Json> reports;
    do {
      const auto text = job.step();
      EXPECT_TRUE(text) << describe(text.error());
      if (!text) break;
      reports.push_back(*io::parse_json(*text));
    } while (!reports.back().find("done")->boolean());
    return reports;
  }

  SyntheticGenerator generator_{"llama"};
};

TEST_F(SeveralAnswers, ComputeTheirPromptOnce) {
  auto job = begin(R"({"maxTokens": 3, "ignoreEos": true, "n": 5, "ids": )" + ids_of(30) + "}");
  ASSERT_TRUE(job) << describe(job.error());
  const std::vector<Json> reports = reports_of(*job);
  // All tokens but the last one, and that one for each answer.
  EXPECT_EQ(reports.back().find("total")->uint(), 29U + 5);
  EXPECT_EQ(reports.back().find("loaded")->uint(), 29U + 5);
  EXPECT_EQ(reports.back().find("made")->uint(), 15U);
  const Json results = *io::parse_json(job->result());
  ASSERT_EQ(results.items().size(), 5U);
  for (const Json& result : results.items()) {
    EXPECT_EQ(result.find("reused")->uint(), 29U);
    EXPECT_EQ(result.find("ids")->items().size(), 3U);
  }
}

TEST_F(SeveralAnswers, ShareWhatTheirPromptsBeginWith) {
  auto job = begin(R"({"maxTokens": 2, "prompts": [{"ids": )" + ids_of(20, 1) + R"(}, {"ids": )" +
                   ids_of(20, 2) + R"(}, {"ids": )" + ids_of(25, 3) + "}]}");
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(reports_of(*job).back().find("total")->uint(), 19U + 1 + 1 + 6);
}

TEST_F(SeveralAnswers, RunAtMostAsManyTogetherAsTheBatchHolds) {
  auto job = begin(R"({"maxTokens": 4, "n": 7, "batchSize": 3, "ignoreEos": true, "ids": [4]})");
  ASSERT_TRUE(job) << describe(job.error());
  std::vector<size_t> answering;
  std::vector<size_t> ended;
  for (const Json& report : reports_of(*job)) {
    EXPECT_LE(report.find("begun")->uint(),
              ended.size() + report.find("ended")->items().size() + 3);
    for (const Json& i : report.find("answering")->items()) answering.push_back(i.uint());
    for (const Json& i : report.find("ended")->items()) ended.push_back(i.uint());
  }
  EXPECT_EQ(answering, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(ended, answering);
}

TEST_F(SeveralAnswers, ThatHaveNotBegunHaveNoTokens) {
  auto job = begin(R"({"n": 3, "batchSize": 1, "ids": [4, 5]})");
  ASSERT_TRUE(job && job->step());
  const Json results = *io::parse_json(job->result());
  ASSERT_EQ(results.items().size(), 3U);
  EXPECT_EQ(results.items()[2].find("promptIds")->items().size(), 2U);
  EXPECT_TRUE(results.items()[2].find("ids")->items().empty());
  EXPECT_TRUE(results.items()[2].find("stop")->is_null());
}

TEST_F(SeveralAnswers, TakeSeedsFromTheirPrompts) {
  const std::string own = R"({"temperature": 2, "topP": 1, "maxTokens": 9, "ids": [4], "seed": )";
  const auto list = run(generator_,
                        R"({"temperature": 2, "topP": 1, "maxTokens": 9, "seed": 3,
          "prompts": [{"ids": [4], "seed": 8}, {"ids": [4]}]})");
  const auto eighth = run(generator_, own + "8}");
  const auto third = run(generator_, own + "3}");
  ASSERT_TRUE(list && eighth && third);
  EXPECT_EQ(list->answers[0].result, eighth->answers[0].result);
  EXPECT_EQ(list->answers[1].result, third->answers[0].result);
  EXPECT_NE(list->answers[0].result, list->answers[1].result);
}

TEST_F(SeveralAnswers, CannotBeKept) {
  generate::PromptCache cache(generator_.generator);
  auto job = GenerateJob::begin(cache.generator(), "", R"({"n": 2, "ids": [4]})", &cache);
  ASSERT_TRUE(job && job->step());
  const auto refused = cache.keep(job->generation());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_EQ(refused.error().path, "job");
}

TEST_F(SeveralAnswers, NameTheBadPrompt) {
  const std::string good = R"({"ids": [4, 5]})";
  const auto listed = [&](const std::string& bad) {
    return R"({"prompts": [)" + good + "," + good + "," + bad + "]}";
  };
  expect_refused(listed(R"({"ids": )" + ids_of(64) + "}"), ErrorCode::LimitExceeded, "prompts[2]");
  expect_refused(listed(R"({"ids": [4, 99]})"), ErrorCode::BadValue, "prompts[2][1]");
  expect_refused(listed(R"({"ids": []})"), ErrorCode::BadValue, "prompts[2]");
  expect_refused(listed("7"), ErrorCode::BadValue, "prompts[2]");
  expect_refused(R"({"prompts": []})", ErrorCode::BadValue, "prompts");
  expect_refused(R"({"prompts": 3})", ErrorCode::BadValue, "prompts");
  expect_refused(R"({"n": 9000, "prompts": [{"ids": [4]}, {"ids": [4]}]})",
                 ErrorCode::LimitExceeded, "prompts");
  expect_refused(R"({"ids": )" + ids_of(64) + "}", ErrorCode::LimitExceeded, "prompt");
}

TEST_F(SeveralAnswers, RefuseBadOptions) {
  const auto refuse = [&](const char* name, const char* value) {
    expect_refused(concat({R"({"ids": [4], ")", name, R"(": )", value, "}"}), ErrorCode::BadValue,
                   concat({"options.", name}));
  };
  for (const char* value : {"-1", "64", "1.5", "\"many\"", "true"}) {
    refuse("promptLookupNumTokens", value);
  }
  for (const char* value : {"0", "-3", "65", "[]"}) refuse("maxMatchingNgramSize", value);
  for (const char* value : {"0", "-1", "65", "2.5"}) refuse("batchSize", value);
  for (const char* value : {"0", "-1", "10001", "{}"}) refuse("n", value);
  expect_refused(R"({"resumeIds": [99], "ids": [4]})", ErrorCode::BadValue, "options.resumeIds[0]");
  expect_refused(R"({"resumeIds": [4], "prompts": [{"ids": [4]}]})", ErrorCode::BadValue,
                 "options.resumeIds");
}

// One answer without a token that may come ends them all, as it would alone.
TEST_F(SeveralAnswers, FailWithTheErrorOfOne) {
  std::string bans;
  for (int id = 0; id < 37; ++id) bans += '"' + std::to_string(id) + "\": false,";
  bans.pop_back();
  auto job = begin(R"({"n": 2, "ids": [4], "logitBias": {)" + bans + "}}");
  ASSERT_TRUE(job) << describe(job.error());
  const auto failed = job->step();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().path, "options.logitBias");
}

// A token that is only drafted must not fail an answer that ends before it.
TEST(DraftedTokens, DoNotFailAnAnswer) {
  constexpr size_t kPrompt = 37;
  SyntheticGenerator generator("gpt2");
  std::string prompt = R"({"temperature": 0, "frequencyPenalty": 9, "maxTokens": 9,
      "ignoreEos": true, "promptLookupNumTokens": 8, "maxMatchingNgramSize": 1, "ids": [)";
  for (size_t id = 0; id < kPrompt; ++id) prompt += std::to_string(id) + ",";
  prompt.back() = ']';
  const auto whole = run(generator, prompt + "}");
  ASSERT_TRUE(whole) << describe(whole.error());
  const Json result = *io::parse_json(whole->answers[0].result);
  const auto ids = testing::numbers_in(*result.find("ids"));
  ASSERT_GE(ids.size(), 3U);
  ASSERT_NE(ids[0], ids[1]);
  // The position after that of the second token of the answer breaks.
  generator.break_position(kPrompt + 2);
  EXPECT_EQ(run(generator, prompt + "}").error().code, ErrorCode::BadValue);
  const auto ended = run(generator, prompt + R"(, "stopIds": [)" + std::to_string(ids[1]) + "]}");
  ASSERT_TRUE(ended) << describe(ended.error());
  EXPECT_EQ(testing::numbers_in(*io::parse_json(ended->answers[0].result)->find("ids")),
            (std::vector<uint32_t>{ids[0]}));
}

}  // namespace
}  // namespace ambry::api
