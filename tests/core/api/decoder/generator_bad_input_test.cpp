// What generators refuse: options, settings, weights and calls.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "api/decoder/small_generator.h"

namespace ambry::api {
namespace {

using formats::amb::testing::AmbMaker;
using testing::answer;
using testing::File;
using testing::open_generator;
using testing::opened;
using testing::small_file;

TEST(GeneratorBadInput, RefusesToBanEveryToken) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const auto refused =
      answer(session, file, "",
             R"({"ids": [6], "ignoreEos": true, "logitBias": {"0": false, "1": false, "2": false,
          "3": false, "4": false, "5": false, "6": false}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_EQ(refused.error().path, "options.logitBias");
}

TEST(GeneratorBadInput, BreakersNeedATokenizer) {
  AmbMaker maker;
  maker.tokenizer.clear();
  const File file = maker.make();
  GeneratorModel session = opened(file);
  EXPECT_TRUE(GenerateJob::begin(session.generator(), "", R"({"ids": [0], "dryMultiplier": 1})"));
  const auto refused = GenerateJob::begin(
      session.generator(), "", R"({"ids": [0], "dryMultiplier": 1, "drySequenceBreakers": ["a"]})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
}

struct Refusal {
  const char* name;
  const char* options;
  ErrorCode code;
  const char* path;
};

TEST(GeneratorBadInput, RejectsInvalidOptions) {
  constexpr Refusal kRefusals[] = {
      {"no id of the vocabulary", R"({"ids": [1, 8]})", ErrorCode::BadValue, "prompt[1]"},
      {"no ids", R"({"ids": []})", ErrorCode::BadValue, "prompt"},
      {"ids that are none", R"({"ids": 3})", ErrorCode::BadValue, "prompt"},
      {"no room", R"({"ids": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]})", ErrorCode::LimitExceeded,
       "prompt"},
      {"no tokens wanted", R"({"ids": [0], "maxTokens": 0})", ErrorCode::BadValue,
       "options.maxTokens"},
      {"a text for a number", R"({"ids": [0], "temperature": "hot"})", ErrorCode::BadValue,
       "options.temperature"},
      {"a temperature below 0", R"({"ids": [0], "temperature": -1})", ErrorCode::BadValue,
       "options.temperature"},
      {"a share above 1", R"({"ids": [0], "topP": 1.5})", ErrorCode::BadValue, "options.topP"},
      {"a negative number of tokens", R"({"ids": [0], "topK": -1})", ErrorCode::BadValue,
       "options.topK"},
      {"an empty stop text", R"({"ids": [0], "stop": [""]})", ErrorCode::BadValue, "options.stop"},
      {"a stop text that is none", R"({"ids": [0], "stop": "a"})", ErrorCode::BadValue,
       "options.stop"},
      {"too many probabilities", R"({"ids": [0], "logprobs": 1001})", ErrorCode::BadValue,
       "options.logprobs"},
      {"a stop id beyond the vocabulary", R"({"ids": [0], "stopIds": [3, 8]})", ErrorCode::BadValue,
       "options.stopIds[1]"},
      {"a bias beyond the vocabulary", R"({"ids": [0], "logitBias": {"8": 1}})",
       ErrorCode::BadValue, "options.logitBias"},
      {"a bias for no id", R"({"ids": [0], "logitBias": {"a": 1}})", ErrorCode::BadValue,
       "options.logitBias"},
      {"a bias that is none", R"({"ids": [0], "logitBias": {"1": null}})", ErrorCode::BadValue,
       "options.logitBias"},
      {"a bias that is true", R"({"ids": [0], "logitBias": {"1": true}})", ErrorCode::BadValue,
       "options.logitBias"},
      {"a list of biases", R"({"ids": [0], "logitBias": [1]})", ErrorCode::BadValue,
       "options.logitBias"},
      {"a bias beyond its range", R"({"ids": [0], "logitBias": {"1": 1e9}})", ErrorCode::BadValue,
       "options.logitBias"},
      {"a window below -1", R"({"ids": [0], "penaltyLastN": -2})", ErrorCode::BadValue,
       "options.penaltyLastN"},
      {"a window of half a token", R"({"ids": [0], "dryPenaltyLastN": 0.5})", ErrorCode::BadValue,
       "options.dryPenaltyLastN"},
      {"an empty breaker", R"({"ids": [0], "drySequenceBreakers": [""]})", ErrorCode::BadValue,
       "options.drySequenceBreakers"},
      {"a third mirostat", R"({"ids": [0], "mirostat": 3})", ErrorCode::BadValue,
       "options.mirostat"},
      {"a threshold above 1", R"({"ids": [0], "xtcThreshold": 1.1})", ErrorCode::BadValue,
       "options.xtcThreshold"},
      {"a text for a bool", R"({"ids": [0], "ignoreEos": "yes"})", ErrorCode::BadValue,
       "options.ignoreEos"}};
  const File file = small_file();
  GeneratorModel session = opened(file);
  for (const auto& [name, options, code, path] : kRefusals) {
    const auto refused = GenerateJob::begin(session.generator(), "", options);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, code) << name;
    EXPECT_EQ(refused.error().path, path) << name;
  }
}

TEST(GeneratorBadInput, RejectsInvalidSettings) {
  const File file = small_file();
  const std::pair<const char*, const char*> kSettings[] = {
      {R"({"kv": "f8"})", "options.kv"},
      {R"({"context": "long"})", "options.context"},
      {R"({"resident": -1})", "options.resident"}};
  for (const auto& [settings, path] : kSettings) {
    const auto refused = open_generator(file, settings);
    ASSERT_FALSE(refused) << settings;
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path, path);
  }
  EXPECT_EQ(open_generator(file, R"({"context": 17})").error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(open_generator(file, R"({"resident": 10})").error().code, ErrorCode::LimitExceeded);
}

TEST(GeneratorBadInput, RejectsInvalidPerplexityWindows) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  const std::pair<const char*, const char*> kOptions[] = {
      {R"({"ids": [0, 1], "window": 1})", "options.window"},
      {R"({"ids": [0, 1], "window": 17})", "options.window"},
      {R"({"ids": [0, 1], "window": 4, "stride": 4})", "options.stride"},
      {R"({"ids": [0]})", "text"}};
  for (const auto& [options, path] : kOptions) {
    const auto refused = api::begin_perplexity(session.generator(), "", options);
    ASSERT_FALSE(refused) << options;
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path, path);
  }
}

TEST(GeneratorBadInput, ReportsNaNWeights) {
  AmbMaker maker;
  const float nan = std::nanf("");
  std::memcpy(maker.tensors[4].data.data(), &nan, sizeof nan);  // v_proj
  const File file = maker.make();
  auto session = open_generator(file);
  // Either the weights are rejected, or the pass that uses them reports the place.
  if (!session) {
    EXPECT_NE(session.error().path.find("v_proj"), std::string::npos) << describe(session.error());
    return;
  }
  const auto refused = answer(*session, file, "", R"({"ids": [6, 2, 3], "temperature": 0})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_NE(refused.error().path.find("layers[0]"), std::string::npos);
}

TEST(GeneratorBadInput, RejectsATensorWithoutAWindow) {
  const File file = small_file();
  GeneratorModel session = opened(file);
  EXPECT_EQ(session.window(99).error().code, ErrorCode::NotFound);
  EXPECT_EQ(session.put().error().code, ErrorCode::BadValue);
  EXPECT_EQ(session.room_for(99).error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace ambry::api
