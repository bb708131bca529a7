#include "api/encoder/token_rows_job.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "api/encoder/encoder_model.h"
#include "api/model/load_model.h"
#include "formats/embd/make_embd.h"

namespace ambry::api::token_heads {
namespace {

using formats::embd::testing::F0Maker;

constexpr uint32_t kClassifier = 2;  // [CLS] in the tiny vocabulary
constexpr uint32_t kSeparator = 3;
constexpr uint32_t kMask = 4;
constexpr uint32_t kA = 5;
constexpr uint32_t kB = 6;  // ##b

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

F0Maker tagger() {
  F0Maker maker;
  maker.tensors.push_back({"token_head.classifier.weight", {3, 4}});
  maker.tensors.push_back({"token_head.classifier.bias", {3}});
  maker.metadata.emplace_back("token_head",
                              R"({"task":"token_classification","labels":["O","B","I"]})");
  return maker;
}

F0Maker masked() {
  F0Maker maker;
  maker.metadata.emplace_back("token_head", R"({"task":"fill_mask","mask":4})");
  return maker;
}

Result<EncoderModel> model_of(const F0Maker& maker) {
  F0Maker copy = maker;
  return testing::load_model<EncoderModel>(copy.make());
}

Result<TokenRowsJob> run(const EncoderModel& model, const std::vector<std::string>& texts,
                         std::string_view options = "{}") {
  AMBRY_TRY(TokenRowsJob job, TokenRowsJob::begin(model, options));
  for (const std::string& text : texts) job.add(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  for (bool done = false; !done;) {
    AMBRY_TRY(done, job.step());
  }
  EXPECT_EQ(job.done_texts(), texts.size());
  return job;
}

std::vector<std::vector<uint32_t>> windows_of(const TokenRowsJob& job) {
  std::vector<std::vector<uint32_t>> windows;
  size_t at = 0;
  for (const uint32_t length : job.window_lengths()) {
    std::vector<uint32_t>& ids = windows.emplace_back();
    for (size_t i = 0; i < length; ++i) ids.push_back(job.window_tokens()[at++].id);
  }
  EXPECT_EQ(at, job.window_tokens().size());
  return windows;
}

using Windows = std::vector<std::vector<uint32_t>>;

TEST(TokenRowsJob, GivesARowForEachToken) {
  const auto model = model_of(tagger());
  ASSERT_TRUE(model) << describe(model.error());
  const auto job = run(*model, {"ab a", ""});
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(windows_of(*job),
            (Windows{{kClassifier, kA, kB, kA, kSeparator}, {kClassifier, kSeparator}}));
  EXPECT_EQ(job->dim(), 3U);
  EXPECT_EQ(std::vector(job->row_counts().begin(), job->row_counts().end()),
            (std::vector<uint32_t>{5, 2}));
  EXPECT_EQ(job->result().size(), 21U);
  const auto tokens = job->window_tokens();
  EXPECT_EQ(tokens[0].flags, WindowToken::Special);
  EXPECT_EQ(tokens[1].flags, 0U);
  EXPECT_EQ(tokens[2].flags, WindowToken::Subword);
  EXPECT_EQ(tokens[2].begin, 1U);
  EXPECT_EQ(tokens[2].end, 2U);
  EXPECT_EQ(tokens[3].flags, 0U);
  EXPECT_EQ(tokens[3].begin, 3U);
  EXPECT_EQ(tokens[4].flags, WindowToken::Special);
  // The texts of a batch do not change each other.
  const auto alone = run(*model, {""});
  const auto last = job->result().last(6);
  EXPECT_TRUE(std::ranges::equal(alone->result(), last));
}

TEST(TokenRowsJob, ReadsLongTextsInWindowsThatOverlap) {
  const auto model = model_of(tagger());
  // Six tokens in a window, four of them of the text.
  const auto job = run(*model, {"a ab a ab", "a"}, R"({"overlap":2})");
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(windows_of(*job), (Windows{{kClassifier, kA, kA, kB, kA, kSeparator},
                                       {kClassifier, kB, kA, kA, kB, kSeparator},
                                       {kClassifier, kA, kSeparator}}));
  EXPECT_EQ(std::vector(job->window_inputs().begin(), job->window_inputs().end()),
            (std::vector<uint32_t>{0, 0, 1}));
  const auto small = run(*model, {"a a a"}, R"({"overlap":0,"window":4})");
  ASSERT_TRUE(small) << describe(small.error());
  EXPECT_EQ(windows_of(*small),
            (Windows{{kClassifier, kA, kA, kSeparator}, {kClassifier, kA, kSeparator}}));
}

TEST(TokenRowsJob, PutsTheFirstTextOfAPairIntoEachWindow) {
  const auto model = model_of(tagger());
  auto job = TokenRowsJob::begin(*model, R"({"overlap":0,"list":"contexts"})");
  ASSERT_TRUE(job);
  job->add_pair("a", "ab a");
  ASSERT_TRUE(job->start());
  EXPECT_EQ(windows_of(*job), (Windows{{kClassifier, kA, kSeparator, kA, kB, kSeparator},
                                       {kClassifier, kA, kSeparator, kA, kSeparator}}));
  const auto tokens = job->window_tokens();
  EXPECT_EQ(tokens[1].flags, 0U);
  EXPECT_EQ(tokens[2].flags, WindowToken::Special);
  EXPECT_EQ(tokens[3].flags, WindowToken::Second);
  EXPECT_EQ(tokens[4].flags, uint32_t{WindowToken::Second} | WindowToken::Subword);
  EXPECT_EQ(tokens[6 + 3].begin, 3U);

  auto full = TokenRowsJob::begin(*model, R"({"list":"contexts"})");
  full->add_pair("a a a", "a");
  const auto refused = full->start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(refused.error().path, "contexts[0]");
}

TEST(TokenRowsJob, GivesTheWordsForMasksAlone) {
  const auto model = model_of(masked());
  ASSERT_TRUE(model) << describe(model.error());
  const auto job = run(*model, {"a [MASK] a [MASK]", "a"}, R"({"rows":"masks"})");
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->dim(), 8U);
  EXPECT_EQ(std::vector(job->row_counts().begin(), job->row_counts().end()),
            (std::vector<uint32_t>{2, 0}));
  EXPECT_EQ(job->result().size(), 16U);
  EXPECT_EQ(job->window_tokens()[2].id, kMask);
  EXPECT_EQ(job->window_tokens()[2].flags, WindowToken::Mask);
  // Without the option, all tokens give the same rows.
  const auto all = run(*model, {"a [MASK] a [MASK]"});
  EXPECT_TRUE(std::ranges::equal(job->result().first(8), all->result().subspan(2 * 8, 8)));
}

TEST(TokenRowsJob, RefusesBadOptions) {
  const auto model = model_of(tagger());
  for (const auto& [options, code, path] :
       std::vector<std::tuple<const char*, ErrorCode, const char*>>{
           {R"({"window":7})", ErrorCode::LimitExceeded, "options.window"},
           {R"({"rows":"some"})", ErrorCode::BadValue, "options.rows"},
           {R"({"overlap":-1})", ErrorCode::BadValue, "options.overlap"},
           {R"({"overlap":4})", ErrorCode::BadValue, "options.overlap"},
           {R"({"window":2})", ErrorCode::LimitExceeded, "texts[0]"}}) {
    const auto refused = run(*model, {"a"}, options);
    ASSERT_FALSE(refused) << options;
    EXPECT_EQ(refused.error().code, code) << options;
    EXPECT_EQ(refused.error().path, path) << options;
  }
  F0Maker plain;
  const auto encoder = model_of(plain);
  EXPECT_EQ(TokenRowsJob::begin(*encoder, "{}").error().code, ErrorCode::Unsupported);
}

TEST(TokenRowsJob, RefusesNumbersThatAreNotFinite) {
  F0Maker maker = tagger();
  maker.tensors[maker.tensors.size() - 1].data =
      bytes_of({0, std::numeric_limits<float>::quiet_NaN(), 0});
  const auto model = model_of(maker);
  ASSERT_TRUE(model) << describe(model.error());
  const auto refused = run(*model, {"a"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_EQ(refused.error().path, "texts[0]");
}

}  // namespace
}  // namespace ambry::api::token_heads
