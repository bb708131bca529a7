// Answers that begin from kept keys and values, beside answers without them.
#include "generate/prompt_cache.h"

#include <gtest/gtest.h>

#include <utility>

#include "api/decoder/open_generator.h"
#include "api/decoder/saved_prompt_cache.h"
#include "formats/amb/make_amb.h"

namespace ambry::api {
namespace {

using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;
using generate::PromptCache;
using testing::File;
using Ids = std::vector<uint32_t>;

constexpr uint64_t kHeads = 2;  // of make_amb.h's model

File cached_model(std::string_view more = "") {
  AmbMaker maker;
  maker.config = tiny_config(more);
  return maker.make();
}

GeneratorModel session_of(const File& file, std::string_view settings = "{}") {
  auto session = testing::open_generator(file, settings);
  EXPECT_TRUE(session) << describe(session.error());
  return std::move(session).value();
}

std::string prompt_options(const Ids& ids, int max_tokens = 3) {
  std::string text = R"({"temperature": 0, "logprobs": 3, "maxTokens": )" +
                     std::to_string(max_tokens) + R"(, "ids": [)";
  for (const uint32_t id : ids) text += std::to_string(id) + ",";
  text.back() = ']';
  return text + "}";
}

struct Reply {
  Ids ids;
  uint64_t reused = 0;
  std::string tokens;  // with their probabilities
};

Reply finish(GenerateJob& job, GeneratorModel& session, const File& file) {
  Reply reply;
  const auto ran = testing::run(job, session, file, [&](const io::Json& report) {
    EXPECT_LE(report.find("loaded")->uint(), report.find("total")->uint());
    for (const io::Json& token : report.find("tokens")->items()) reply.tokens += token.dump();
  });
  EXPECT_TRUE(ran) << describe(ran.error());
  const io::Json results = *io::parse_json(job.result());
  const io::Json& result = results.items().front();
  reply.ids = testing::numbers_in(*result.find("ids"));
  reply.reused = result.find("reused")->uint();
  return reply;
}

Result<GenerateJob> begin_after(const PromptCache& cache, std::string_view options) {
  return GenerateJob::begin(cache.generator(), "", options, &cache);
}

uint64_t kept_tokens(const PromptCache& cache) {
  return io::parse_json(prompt_cache_facts(cache))->find("tokens")->uint();
}

class PromptCacheTest : public ::testing::Test {
 protected:
  // The answer of the cache, which takes it over, and the one without it. They are equal.
  Reply send(PromptCache& cache, const Ids& prompt) {
    auto warm = begin_after(cache, prompt_options(prompt));
    auto cold = GenerateJob::begin(session_.generator(), "", prompt_options(prompt));
    EXPECT_TRUE(warm && cold);
    Reply reply = finish(*warm, session_, file_);
    const Reply expected = finish(*cold, session_, file_);
    EXPECT_EQ(reply.ids, expected.ids);
    EXPECT_EQ(reply.tokens, expected.tokens);
    EXPECT_EQ(expected.reused, 0U);
    EXPECT_TRUE(cache.keep(warm->generation()));
    return reply;
  }

  File file_ = cached_model();
  GeneratorModel session_ = session_of(file_);
  PromptCache cache_{session_.generator()};
};

TEST_F(PromptCacheTest, OnlyNewTokensAreComputed) {
  EXPECT_EQ(send(cache_, {6, 2, 3}).reused, 0U);
  const Reply second = send(cache_, {6, 2, 3, 1, 4});
  EXPECT_GE(second.reused, 3U);
  EXPECT_EQ(send(cache_, {6, 2, 0}).reused, 2U);
  EXPECT_EQ(send(cache_, {5}).reused, 0U);
}

TEST_F(PromptCacheTest, AnAnswerIsPartOfTheNextPrompt) {
  Ids prompt = {6, 2, 3};
  const Reply first = send(cache_, prompt);
  prompt.insert(prompt.end(), first.ids.begin(), first.ids.end());
  const uint64_t kept = kept_tokens(cache_);
  prompt.push_back(5);
  EXPECT_EQ(send(cache_, prompt).reused, kept);
}

TEST_F(PromptCacheTest, APromptThatOverflowsLeavesTheCache) {
  send(cache_, {6, 2, 3});
  const std::string before = prompt_cache_facts(cache_);
  const auto refused = begin_after(cache_, prompt_options(Ids(16, 1)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(refused.error().path, "prompt");
  EXPECT_EQ(prompt_cache_facts(cache_), before);
  EXPECT_EQ(send(cache_, {6, 2, 3, 1}).reused, 3U);
}

TEST_F(PromptCacheTest, AJobThatIsDroppedLeavesTheCache) {
  send(cache_, {6, 2, 3});
  const uint64_t before = kept_tokens(cache_);
  {
    auto job = begin_after(cache_, prompt_options({6, 0, 1, 2}));
    ASSERT_TRUE(job->step());
  }
  EXPECT_EQ(kept_tokens(cache_), before);
  EXPECT_EQ(send(cache_, {6, 2, 3, 1}).reused, 3U);
}

TEST_F(PromptCacheTest, TakesOverAnAnswerThatWasStopped) {
  auto job = begin_after(cache_, prompt_options({6, 2, 3}, 9));
  ASSERT_TRUE(job->step());
  ASSERT_TRUE(cache_.keep(job->generation()));
  EXPECT_GE(kept_tokens(cache_), 3U);
  const Reply rest = finish(*job, session_, file_);  // goes on beside the cache
  EXPECT_EQ(send(cache_, {6, 2, 3, 4}).reused, 3U);
  auto whole = GenerateJob::begin(session_.generator(), "", prompt_options({6, 2, 3}, 9));
  EXPECT_EQ(finish(*whole, session_, file_).ids, rest.ids);
}

TEST_F(PromptCacheTest, ForksAreIndependent) {
  send(cache_, {6, 2, 3, 1});
  PromptCache fork = cache_.fork();
  EXPECT_EQ(send(fork, {6, 2, 3, 1, 5}).reused, 4U);
  EXPECT_EQ(send(cache_, {6, 2, 0}).reused, 2U);
  EXPECT_EQ(send(fork, {6, 2, 3, 1, 5, 1}).reused, 5U);
}

TEST_F(PromptCacheTest, IsSavedAndRestoredWithItsNote) {
  send(cache_, {6, 2, 3, 1});
  auto saved = cache_.save("notes of the caller");
  ASSERT_TRUE(saved) << describe(saved.error());
  auto room = SavedPromptCache::of_size(saved->bytes().size());
  std::ranges::copy(saved->bytes(), room->bytes().begin());
  auto restored = PromptCache::restore(session_.generator(), room->bytes());
  ASSERT_TRUE(restored) << describe(restored.error());
  EXPECT_EQ(io::parse_json(prompt_cache_facts(*restored))->find("note")->string(),
            "notes of the caller");
  EXPECT_EQ(kept_tokens(*restored), kept_tokens(cache_));
  EXPECT_EQ(send(*restored, {6, 2, 3, 1, 5}).reused, 4U);
}

TEST_F(PromptCacheTest, RefusesASaveFromAnotherModel) {
  send(cache_, {6, 2, 3, 1});
  auto saved = cache_.save("");
  AmbMaker maker;
  maker.tensors[0].data[9] ^= 1;
  const GeneratorModel other = session_of(maker.make());
  const auto refused = PromptCache::restore(other.generator(), saved->bytes());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(refused.error().path, "saved.model");
  const GeneratorModel half = session_of(file_, R"({"kv": "f16"})");
  EXPECT_EQ(PromptCache::restore(half.generator(), saved->bytes()).error().path, "saved.kv");
}

TEST_F(PromptCacheTest, RefusesAJobOfAnotherModel) {
  GeneratorModel other = session_of(file_);
  auto job = GenerateJob::begin(other.generator(), "", prompt_options({6, 2}));
  ASSERT_TRUE(job);
  const auto refused = cache_.keep(job->generation());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_EQ(refused.error().path, "job");
}

TEST(PromptCacheTypes, EachTypeOfTheCacheAnswersAsWithoutOne) {
  const File file = cached_model();
  for (const char* settings :
       {R"({"kv": "f16"})", R"({"kv": "int8"})", R"({"kv": "int8", "resident": 1400})"}) {
    GeneratorModel session = session_of(file, settings);
    PromptCache cache{session.generator()};
    Ids prompt = {6, 2};
    for (uint32_t turn = 0; turn < 3; ++turn) {
      prompt.push_back(turn);
      auto warm = begin_after(cache, prompt_options(prompt, 2));
      auto cold = GenerateJob::begin(session.generator(), "", prompt_options(prompt, 2));
      const Reply reply = finish(*warm, session, file);
      EXPECT_EQ(reply.tokens, finish(*cold, session, file).tokens) << settings;
      EXPECT_EQ(reply.reused > 0, turn > 0);
      ASSERT_TRUE(cache.keep(warm->generation()));
      prompt.insert(prompt.end(), reply.ids.begin(), reply.ids.end());
    }
  }
}

TEST(PromptCacheTypes, Int8CountsItsScales) {
  const GeneratorModel session = session_of(cached_model(), R"({"kv": "int8"})");
  const auto info = io::parse_json(session.info());
  const io::Json& generator = *info->find("generator");
  EXPECT_EQ(generator.find("kv")->string(), "int8");
  // Keys and values of 8 numbers in one layer, and a scale of 4 bytes for each head.
  EXPECT_EQ(generator.find("keyValueBytes")->uint(), 2U * (8 + 4 * kHeads));
}

}  // namespace
}  // namespace ambry::api
