// Opens and runs a small llama (make_amb.h).
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "api/decoder/small_generator.h"

namespace ambry::api {
namespace {

using formats::amb::testing::AmbMaker;
using testing::Answer;
using testing::answer;
using testing::File;
using testing::logits;
using testing::open_generator;
using testing::opened;
using testing::perplexity;
using testing::small_file;
using Ids = std::vector<uint32_t>;

constexpr size_t kVocabulary = 8;
constexpr const char* kGreedy = R"({"ids": [6, 2, 3], "temperature": 0, "maxTokens": 6})";

Answer answered(GeneratorModel& session, const File& file, std::string_view options,
                std::string_view text = "") {
  auto made = answer(session, file, text, options);
  EXPECT_TRUE(made) << describe(made.error());
  return made ? std::move(made).value() : Answer();
}

// The argmax of a row.
uint32_t likeliest(const std::vector<float>& row) {
  return static_cast<uint32_t>(std::ranges::max_element(row) - row.begin());
}

TEST(Generator, DescribesItself) {
  const File file = small_file(R"(, "tokenizer":
      {"chat_template": "{{ messages }}", "chat_templates": {"rag": "{{ documents }}"}})");
  const auto info = io::parse_json(opened(file, R"({"kv": "f16"})").info());
  const io::Json& generator = *info->find("generator");
  EXPECT_EQ(generator.find("architecture")->string(), "llama");
  EXPECT_EQ(generator.find("context")->uint(), 16U);
  EXPECT_TRUE(generator.find("slidingWindow")->is_null());
  EXPECT_EQ(generator.find("vocabulary")->uint(), kVocabulary);
  // Keys and values of 8 f16 values in one layer.
  EXPECT_EQ(generator.find("keyValueBytes")->uint(), 2U * 8 * 2);
  EXPECT_EQ(generator.find("kv")->string(), "f16");
  EXPECT_EQ(generator.find("endIds")->items()[0].uint(), 7U);
  EXPECT_EQ(generator.find("specialTokens")->find("bos")->string(), "<s>");
  EXPECT_EQ(generator.find("chatTemplate")->string(), "{{ messages }}");
  EXPECT_EQ(generator.find("chatTemplates")->dump(), R"(["default","rag"])");
  EXPECT_TRUE(generator.find("streaming")->is_null());
}

TEST(Generator, GreedyTokensHaveTheLargestLogits) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const Answer made = answered(session, file, kGreedy);
  EXPECT_EQ(made.prompt_ids, (Ids{6, 2, 3}));
  Ids so_far = made.prompt_ids;
  for (const uint32_t id : made.ids) {
    std::string prompt = R"({"ids": [)";
    for (const uint32_t before : so_far) prompt += std::to_string(before) + ",";
    prompt.back() = ']';
    const auto row = logits(session, file, "", prompt + "}");
    ASSERT_TRUE(row) << describe(row.error());
    ASSERT_EQ(row->size(), kVocabulary);
    EXPECT_EQ(likeliest(*row), id);
    so_far.push_back(id);
  }
  EXPECT_TRUE(made.stop == "eos" || made.ids.size() == 6U);
}

TEST(Generator, LogitsOfAllTokensMatchThoseOfEachPrefix) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const auto all = logits(session, file, "", R"({"ids": [6, 2, 3, 0], "all": true})");
  const auto last = logits(session, file, "", R"({"ids": [6, 2]})");
  ASSERT_TRUE(all && last);
  ASSERT_EQ(all->size(), 4 * kVocabulary);
  for (size_t i = 0; i < kVocabulary; ++i) EXPECT_EQ((*all)[kVocabulary + i], (*last)[i]);
}

TEST(Generator, TokenTextsAddUpToTheAnswer) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  for (int seed = 0; seed < 20; ++seed) {
    const Answer made = answered(
        session, file,
        R"({"temperature": 2, "topP": 1, "maxTokens": 9, "seed": )" + std::to_string(seed) + "}",
        "ab c");
    std::string text;
    for (const io::Json& token : made.tokens) text += token.find("text")->string();
    EXPECT_EQ(text, made.text);
    EXPECT_EQ(made.tokens.size(), made.ids.size());
  }
}

TEST(Generator, IsDeterministicForASeed) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  std::vector<Ids> answers;
  for (const char* seed : {"7", "7", "8", "9", "10"}) {
    const std::string options = R"({"ids": [0], "temperature": 3, "topP": 1, "seed": )";
    answers.push_back(answered(session, file, options + seed + "}").ids);
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_FALSE(answers[0] == answers[2] && answers[2] == answers[3] && answers[3] == answers[4]);
}

TEST(Generator, StopsAtTheEndOfTheContext) {
  const File file = small_file();
  GeneratorModel session = opened(file, R"({"context": 6})");
  for (int seed = 0; seed < 20; ++seed) {
    const std::string options = R"({"ids": [0, 1, 2], "temperature": 3, "topP": 1, "seed": )";
    const Answer made = answered(session, file, options + std::to_string(seed) + "}");
    EXPECT_EQ(made.ids.size() == 3U, made.stop == "context" || made.stop == "length");
    EXPECT_LE(made.ids.size(), 3U);
  }
}

TEST(Generator, ProbabilitiesAreOfTheWholeVocabulary) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const Answer made =
      answered(session, file, R"({"ids": [0], "temperature": 0, "maxTokens": 1, "logprobs": 8})");
  ASSERT_EQ(made.tokens.size(), 1U);
  const auto& top = made.tokens[0].find("top")->items();
  ASSERT_EQ(top.size(), kVocabulary);
  double sum = 0;
  for (const io::Json& likely : top) sum += std::exp(likely.find("logprob")->number());
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_EQ(top[0].find("id")->uint(), made.ids[0]);
  EXPECT_EQ(made.tokens[0].find("logprob")->number(), top[0].find("logprob")->number());
}

// There is room for about one matrix at a time.
TEST(Generator, GivesTheSameAnswerWithStreamedWeights) {
  const File file = small_file();
  GeneratorModel whole = opened(file);
  GeneratorModel streamed = opened(file, R"({"resident": 1400})");
  const auto info = io::parse_json(streamed.info());
  const io::Json& streaming = *info->find("generator")->find("streaming");
  ASSERT_FALSE(streaming.is_null());
  EXPECT_EQ(streaming.find("resident")->uint(), 1400U);
  EXPECT_GT(streaming.find("bytesPerPass")->uint(), 0U);
  EXPECT_EQ(answered(streamed, file, kGreedy).ids, answered(whole, file, kGreedy).ids);
  EXPECT_LE(streamed.weight_bytes(), 1400U);
  EXPECT_GT(whole.weight_bytes(), 1400U);
  const auto rows = R"({"ids": [6, 2, 3, 0], "all": true})";
  EXPECT_EQ(*logits(streamed, file, "", rows), *logits(whole, file, "", rows));
}

TEST(Generator, PerplexityFollowsFromTheTokensProbabilities) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const auto rows = logits(session, file, "", R"({"ids": [6, 2, 3, 0, 5], "all": true})");
  const Ids ids = {6, 2, 3, 0, 5};
  double sum = 0;
  for (size_t i = 0; i + 1 < ids.size(); ++i) {
    double total = 0;
    for (size_t v = 0; v < kVocabulary; ++v) {
      total += std::exp(double{(*rows)[i * kVocabulary + v]});
    }
    sum += std::log(total) - double{(*rows)[i * kVocabulary + ids[i + 1]]};
  }
  const auto report = perplexity(session, file, "", R"({"ids": [6, 2, 3, 0, 5]})");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->find("tokens")->uint(), 4U);
  EXPECT_EQ(report->find("windows")->uint(), 1U);
  EXPECT_NEAR(report->find("crossEntropy")->number(), sum / 4, 1e-5);
  EXPECT_NEAR(report->find("perplexity")->number(), std::exp(sum / 4), 1e-4);
}

// Windows of 4 that move by 2: 0 1 2 3, 2 3 4 5, 3 4 5 6. Each token except the first is scored
// once.
TEST(Generator, PerplexityOfALongTextUsesWindows) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const Ids ids = {2, 3, 0, 5, 1, 4, 2};
  const auto part = [&](size_t begin, size_t end, size_t first) {
    std::string options = R"({"all": true, "ids": [)";
    for (size_t i = begin; i < end; ++i) options += std::to_string(ids[i]) + ",";
    options.back() = ']';
    const auto rows = logits(session, file, "", options + "}");
    double sum = 0;
    for (size_t i = first; i < end; ++i) {
      double total = 0;
      const float* row = rows->data() + (i - 1 - begin) * kVocabulary;
      for (size_t v = 0; v < kVocabulary; ++v) total += std::exp(double{row[v]});
      sum += std::log(total) - double{row[ids[i]]};
    }
    return sum;
  };
  const double sum = part(0, 4, 1) + part(2, 6, 4) + part(3, 7, 6);
  const auto report =
      perplexity(session, file, "", R"({"ids": [2, 3, 0, 5, 1, 4, 2], "window": 4, "stride": 2})");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->find("tokens")->uint(), 6U);
  EXPECT_EQ(report->find("windows")->uint(), 3U);
  EXPECT_NEAR(report->find("crossEntropy")->number(), sum / 6, 1e-5);
}

TEST(Generator, AcceptsIdsWithoutATokenizer) {
  AmbMaker maker;
  maker.tokenizer.clear();
  const File file = maker.make();
  GeneratorModel session = opened(file);
  EXPECT_EQ(answered(session, file, kGreedy).text, "");
  EXPECT_FALSE(answered(session, file, kGreedy).ids.empty());
  const auto refused = answer(session, file, "ab", "{}");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().path, "tokenizer");
}

TEST(Generator, ReturnsIdsAtOnceWithoutATokenizer) {
  AmbMaker maker;
  maker.tokenizer.clear();
  const File file = maker.make();
  GeneratorModel session = opened(file);
  auto job = GenerateJob::begin(session.generator(), "", kGreedy);
  ASSERT_TRUE(job) << describe(job.error());
  size_t given = 0;
  const auto ran = testing::run(*job, session, file, [&](const io::Json& report) {
    given += report.find("tokens")->items().size();
    EXPECT_EQ(given, report.find("made")->uint());
  });
  ASSERT_TRUE(ran) << describe(ran.error());
  EXPECT_GT(given, 1U);
}

TEST(Generator, StopsAtAStopId) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const std::string options =
      R"({"ids": [6], "temperature": 3, "topP": 1, "seed": 2, "ignoreEos": true)";
  const Answer whole = answered(session, file, options + "}");
  const auto place = std::ranges::find_if(
      whole.ids, [&](uint32_t id) { return id != whole.ids[0] && id != whole.ids[1]; });
  ASSERT_NE(place, whole.ids.end());
  const Answer made =
      answered(session, file, options + R"(, "stopIds": [6, )" + std::to_string(*place) + "]}");
  EXPECT_EQ(made.stop, "stop");
  EXPECT_EQ(made.ids, Ids(whole.ids.begin(), place));
}

TEST(Generator, NeverPicksBannedTokens) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  for (const char* temperature : {"0", "3"}) {
    const std::string options =
        R"({"ids": [6], "topP": 1, "logitBias": {"0": false, "1": false, "2": -1000000, "4": 90}, )"
        R"("ignoreEos": true, "seed": 3, "temperature": )";
    const Answer made = answered(session, file, options + temperature + "}");
    EXPECT_EQ(made.stop, "context");
    for (const uint32_t id : made.ids) EXPECT_EQ(id, 4U);
  }
}

TEST(Generator, IgnoresTheTokensThatEndATextOnRequest) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  size_t ended = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const std::string options =
        R"({"ids": [6], "temperature": 3, "topP": 1, "seed": )" + std::to_string(seed);
    if (answered(session, file, options + "}").stop == "eos") ++ended;
    EXPECT_EQ(answered(session, file, options + R"(, "ignoreEos": true})").stop, "context");
  }
  EXPECT_GT(ended, 0U);
}

// Without them, DRY keeps the model from writing the same pair of tokens again and again.
TEST(Generator, DryKnowsTheBreakersOfTheTokenizer) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const std::string options =
      R"({"ids": [0, 1, 0, 1, 0], "temperature": 0, "maxTokens": 4, "ignoreEos": true,
          "logitBias": {"0": 50, "1": 50}, "dryMultiplier": 100)";
  const auto ids = [&](const std::string& more) {
    return answered(session, file, options + more + "}").ids;
  };
  EXPECT_NE(ids(""), ids(R"(, "drySequenceBreakers": ["a"])"));
  EXPECT_EQ(ids(R"(, "drySequenceBreakers": ["a"])"), ids(R"(, "dryPenaltyLastN": 0)"));
}

}  // namespace
}  // namespace ambry::api
