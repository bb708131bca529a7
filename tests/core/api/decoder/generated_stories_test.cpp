// Converts a real model and generates known texts: those of llama2.c's own program, which an
// independent implementation in double precision confirmed.
#include <gtest/gtest.h>

#include <cmath>

#include "api/decoder/open_generator.h"
#include "convert/decoder/llama2c.h"
#include "convert/run_conversion.h"
#include "data_files.h"

namespace ambry::api {
namespace {

using ambry::testing::data_file;
using testing::answer;
using testing::File;
using testing::logits;
using testing::numbers_in;
using testing::open_generator;
using testing::perplexity;

// The largest difference of logits. The reference itself differs by 1.7e-5 between f32 and f64.
constexpr float kTolerance = 2e-4F;

class GeneratedStories : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("stories260k");
    const auto weights = data_file("stories260k/stories260K.bin");
    const auto pieces = data_file("stories260k/tok512.bin");
    const auto answers = data_file("stories260k/known_answers.json");
    ASSERT_TRUE(weights && pieces && answers);
    convert::SideFiles files;
    files.add(std::string(convert::kLlama2cTokenizer), {pieces->begin(), pieces->end()});
    auto converted = convert::testing::run(*weights, files, convert::testing::to(GetParam()));
    ASSERT_TRUE(converted) << describe(converted.error());
    file_ = std::move(*converted);
    auto parsed = io::parse_json(as_text(*answers));
    ASSERT_TRUE(parsed) << describe(parsed.error());
    known_ = std::move(*parsed);
  }

  File file_;
  io::Json known_;
};

void expect_known(GeneratorModel& session, const File& file, const io::Json& known) {
  const auto wanted = numbers_in(*known.find("generated_tokens"));
  const std::string& prompt = known.find("prompt")->string();
  const auto made =
      answer(session, file, prompt,
             R"({"temperature": 0, "maxTokens": )" + std::to_string(wanted.size()) + "}");
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->prompt_ids, numbers_in(*known.find("prompt_tokens"))) << prompt;
  EXPECT_EQ(made->ids, wanted) << prompt;
  const std::string& whole = known.find("text")->string();
  EXPECT_EQ(prompt + made->text, whole);
}

TEST_P(GeneratedStories, MatchTheKnownStories) {
  auto session = open_generator(file_);
  ASSERT_TRUE(session) << describe(session.error());
  const auto& answers = known_.find("answers")->items();
  ASSERT_EQ(answers.size(), 5U);
  for (const io::Json& known : answers) expect_known(*session, file_, known);
}

// A fifth of the weights at a time.
TEST_P(GeneratedStories, AreTheSameWithStreamedLayers) {
  auto session = open_generator(file_, R"({"resident": 200000})");
  ASSERT_TRUE(session) << describe(session.error());
  expect_known(*session, file_, known_.find("answers")->items()[1]);
  EXPECT_LE(session->weight_bytes(), 200000U);
}

TEST_P(GeneratedStories, HaveTheKnownLogits) {
  auto session = open_generator(file_);
  ASSERT_TRUE(session) << describe(session.error());
  std::string ids;
  for (const uint32_t id : numbers_in(*known_.find("logits_tokens"))) {
    ids += (ids.empty() ? "" : ",") + std::to_string(id);
  }
  const auto rows = logits(*session, file_, "", R"({"all": true, "ids": [)" + ids + "]}");
  ASSERT_TRUE(rows) << describe(rows.error());
  const auto& known = known_.find("logits")->items();
  ASSERT_EQ(rows->size(), known.size() * 512);
  float most = 0;
  for (size_t row = 0; row < known.size(); ++row) {
    for (size_t i = 0; i < 512; ++i) {
      const auto wanted = static_cast<float>(known[row].items()[i].number());
      most = std::max(most, std::abs((*rows)[row * 512 + i] - wanted));
    }
  }
  EXPECT_LE(most, kTolerance);
}

// Printed by tests/reference/models/perplexity_reference.py.
TEST_P(GeneratedStories, MatchTheReferencesPerplexity) {
  auto session = open_generator(file_);
  ASSERT_TRUE(session) << describe(session.error());
  const io::Json& story = known_.find("answers")->items()[1];
  std::string ids;
  for (const char* part : {"prompt_tokens", "generated_tokens"}) {
    for (const uint32_t id : numbers_in(*story.find(part))) {
      ids += (ids.empty() ? "" : ",") + std::to_string(id);
    }
  }
  const auto whole = perplexity(*session, file_, "", R"({"ids": [)" + ids + "]}");
  ASSERT_TRUE(whole) << describe(whole.error());
  EXPECT_EQ(whole->find("tokens")->uint(), 204U);
  EXPECT_NEAR(whole->find("crossEntropy")->number(), 0.4776548643867416, 1e-5);
  const auto windowed = perplexity(*session, file_, "", R"({"window": 64, "ids": [)" + ids + "]}");
  ASSERT_TRUE(windowed) << describe(windowed.error());
  EXPECT_EQ(windowed->find("windows")->uint(), 6U);
  EXPECT_NEAR(windowed->find("crossEntropy")->number(), 0.5705693579344675, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Files, GeneratedStories, ::testing::Values("alt", "amb"));

}  // namespace
}  // namespace ambry::api
