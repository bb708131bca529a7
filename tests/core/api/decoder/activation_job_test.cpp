// Collects the activations of a small llama (make_amb.h) over texts, and checks their effect.
#include "api/decoder/pass_jobs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "api/decoder/open_generator.h"
#include "formats/amb/make_amb.h"

namespace ambry::api {
namespace {

using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;
using model::DecoderActivations;
using testing::File;
using testing::open_generator;

// A model whose texts start with <s>.
File begun_file() {
  AmbMaker maker;
  maker.config = tiny_config(R"(, "tokenizer": {"add_bos": true})");
  return maker.make();
}

Result<DecoderActivations> seen_over(const File& file, std::string_view options,
                                     std::string_view settings = "{}") {
  AMBRY_TRY(GeneratorModel session, open_generator(file, settings));
  AMBRY_TRY(ActivationJob job, api::begin_activations(session.generator(), options));
  uint64_t before = 0;
  uint64_t total = 0;
  AMBRY_RETURN_IF_ERROR(testing::run(job, session, file, [&](const io::Json& report) {
    EXPECT_GE(report.find("loaded")->uint(), before);
    before = report.find("loaded")->uint();
    total = report.find("total")->uint();
  }));
  EXPECT_EQ(before, total);
  return job.work().activations();
}

Error refused_texts(const File& file, std::string_view options) {
  const auto made = seen_over(file, options);
  EXPECT_FALSE(made);
  return made ? Error() : made.error();
}

// How often token `id` occurs among `n_tokens`, with 8 counted twice.
double lookups_of(const DecoderActivations& activations, size_t id, size_t n_tokens) {
  return std::round(static_cast<double>(activations.tokens[id]) *
                    static_cast<double>(n_tokens + 8)) -
         1;
}

TEST(ActivationJob, RunsEveryText) {
  const auto made = seen_over(begun_file(), R"({"texts": ["ab", "a", "  ", "c"]})");
  ASSERT_TRUE(made) << describe(made.error());
  // <s> ab, <s> a, <s> c; blank texts are left out.
  EXPECT_EQ(lookups_of(*made, 6, 6), 3);
  EXPECT_EQ(lookups_of(*made, 2, 6), 1);
  EXPECT_EQ(lookups_of(*made, 0, 6), 1);
  EXPECT_EQ(lookups_of(*made, 5, 6), 1);
  EXPECT_EQ(made->layers.size(), 1U);
}

// 40 tokens with a context of 16: windows of 15 tokens, each after the token that starts the text.
TEST(ActivationJob, SplitsLongTextsIntoWindows) {
  const std::string text(40, 'c');
  const auto made = seen_over(begun_file(), R"({"texts": [")" + text + R"("]})");
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(lookups_of(*made, 5, 43), 40);
  EXPECT_EQ(lookups_of(*made, 6, 43), 3);
  const auto narrow = seen_over(begun_file(), R"({"texts": [")" + text + R"("], "window": 5})");
  ASSERT_TRUE(narrow) << describe(narrow.error());
  EXPECT_EQ(lookups_of(*narrow, 6, 50), 10);
  EXPECT_NE(narrow->output, made->output);
}

TEST(ActivationJob, GivesTheSameWithStreamedWeights) {
  const std::string options = R"({"texts": [")" + std::string(40, 'c') + R"("]})";
  const auto whole = seen_over(begun_file(), options);
  const auto streamed = seen_over(begun_file(), options, R"({"resident": 1200})");
  ASSERT_TRUE(whole);
  ASSERT_TRUE(streamed) << describe(streamed.error());
  EXPECT_EQ(whole->layers[0].mlp_hidden, streamed->layers[0].mlp_hidden);
  EXPECT_EQ(whole->output, streamed->output);
}

TEST(ActivationJob, RejectsWhiteSpaceOnly) {
  for (const char* texts :
       {R"({"texts": []})", "{}", R"({"texts": [""]})", R"({"texts": [" \n\t", ""]})"}) {
    const Error error = refused_texts(begun_file(), texts);
    EXPECT_EQ(error.code, ErrorCode::BadValue) << texts;
    EXPECT_EQ(error.path, "calibration");
  }
  EXPECT_EQ(refused_texts(begun_file(), R"({"texts": "ab"})").path, "options.texts");
  EXPECT_EQ(refused_texts(begun_file(), R"({"texts": ["ab"], "window": 17})").path,
            "options.window");
  EXPECT_EQ(refused_texts(begun_file(), R"({"texts": ["ab"], "window": 0})").path,
            "options.window");
}

TEST(ActivationJob, FailsWithoutATokenizer) {
  AmbMaker maker;
  maker.tokenizer.clear();
  const Error error = refused_texts(maker.make(), R"({"texts": ["ab"]})");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "calibration");
}

}  // namespace
}  // namespace ambry::api
