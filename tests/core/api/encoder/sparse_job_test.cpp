#include "api/encoder/sparse_job.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "api/encoder/encoder_model.h"
#include "api/model/load_model.h"
#include "formats/embd/make_embd.h"

namespace ambry::api::sparse_encoders {
namespace {

using formats::embd::testing::F0Maker;

constexpr uint32_t kUnknown = 1;
constexpr uint32_t kA = 5;
constexpr uint32_t kB = 6;  // ##b

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// A matrix of zeros, so that the weights are those of the bias.
F0Maker splade(const std::vector<float>& bias, const char* head = R"({"task":"sparse"})") {
  F0Maker maker;
  maker.tensors.push_back(
      {"token_head.classifier.weight", {8, 4}, 0, bytes_of(std::vector<float>(32))});
  maker.tensors.push_back({"token_head.classifier.bias", {8}, 0, bytes_of(bias)});
  maker.metadata.emplace_back("token_head", head);
  return maker;
}

// Each token weighs the bias.
F0Maker own_words(float bias) {
  F0Maker maker;
  maker.tensors.push_back(
      {"token_head.classifier.weight", {1, 4}, 0, bytes_of(std::vector<float>(4))});
  maker.tensors.push_back({"token_head.classifier.bias", {1}, 0, bytes_of({bias})});
  maker.metadata.emplace_back("token_head", R"({"task":"sparse","words":"own","logarithms":0})");
  return maker;
}

const std::vector<float> kBias = {0, -1, 3, 1, 0, 7, 1, -2};

Result<EncoderModel> model_of(const F0Maker& maker) {
  F0Maker copy = maker;
  return testing::load_model<EncoderModel>(copy.make());
}

struct Made {
  std::vector<std::vector<uint32_t>> ids;
  std::vector<std::vector<float>> weights;
};

Result<Made> run(const EncoderModel& model, const std::vector<std::string>& texts,
                 std::string_view options = "{}") {
  AMBRY_TRY(SparseJob job, SparseJob::begin(model, options));
  for (const std::string& text : texts) job.add(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  for (bool done = false; !done;) {
    AMBRY_TRY(done, job.step());
  }
  EXPECT_EQ(job.done_texts(), texts.size());
  EXPECT_EQ(job.row_counts().size(), texts.size());
  Made made;
  size_t at = 0;
  for (const uint32_t count : job.row_counts()) {
    made.ids.emplace_back(job.ids().begin() + static_cast<std::ptrdiff_t>(at),
                          job.ids().begin() + static_cast<std::ptrdiff_t>(at + count));
    made.weights.emplace_back(job.result().begin() + static_cast<std::ptrdiff_t>(at),
                              job.result().begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  EXPECT_EQ(at, job.ids().size());
  return made;
}

using Ids = std::vector<std::vector<uint32_t>>;

TEST(SparseJob, GivesTheWordsWithWeightsTheLargestFirst) {
  const auto model = model_of(splade(kBias));
  ASSERT_TRUE(model) << describe(model.error());
  const auto made = run(*model, {"a", "ab a", ""});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->ids, (Ids{{5, 2, 3, 6}, {5, 2, 3, 6}, {5, 2, 3, 6}}));
  EXPECT_NEAR(made->weights[0][0], std::log1p(7.0), 1e-6);
  EXPECT_NEAR(made->weights[0][1], std::log1p(3.0), 1e-6);
  const auto few = run(*model, {"a"}, R"({"k":2})");
  EXPECT_EQ(few->ids, (Ids{{5, 2}}));
  const auto many = run(*model, {"a"}, R"({"k":4294967296})");
  EXPECT_EQ(many->ids, (Ids{{5, 2, 3, 6}}));
}

TEST(SparseJob, SumsOverAllTokensIfTheModelDoes) {
  const auto model = model_of(splade(kBias, R"({"task":"sparse","pooling":"sum","logarithms":2})"));
  ASSERT_TRUE(model) << describe(model.error());
  // [CLS] a ##b [SEP]
  const auto made = run(*model, {"ab"});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_NEAR(made->weights[0][0], 4 * std::log1p(std::log1p(7.0)), 1e-5);
}

TEST(SparseJob, WeighsTheOwnWordsOfTokens) {
  const auto model = model_of(own_words(2));
  ASSERT_TRUE(model) << describe(model.error());
  // Tokens that stand for no word of the text, and the unknown one, do not count.
  const auto made = run(*model, {"ab zz a", "", "zz"});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->ids, (Ids{{kA, kB}, {}, {}}));
  EXPECT_EQ(made->weights[0], (std::vector<float>{2, 2}));
  const auto negative = run(*model_of(own_words(-2)), {"ab"});
  EXPECT_EQ(negative->ids, (Ids{{}}));
}

TEST(SparseJob, QueriesMayHaveFixedWeights) {
  F0Maker maker = splade(kBias);
  maker.tensors.push_back(
      {"token_head.query_weights", {7}, 0, bytes_of({9, 0.25F, 9, 9, 9, 0.5F, 3})});
  const auto model = model_of(maker);
  ASSERT_TRUE(model) << describe(model.error());
  const auto queries = run(*model, {"a ab a zz", "", "zz"}, R"({"as":"query"})");
  ASSERT_TRUE(queries) << describe(queries.error());
  EXPECT_EQ(queries->ids, (Ids{{kB, kA, kUnknown}, {}, {kUnknown}}));
  EXPECT_EQ(queries->weights[0], (std::vector<float>{3, 0.5F, 0.25F}));
  EXPECT_EQ(run(*model, {"ab"}, R"({"as":"query","k":1})")->ids, (Ids{{kB}}));
  // Six tokens at most.
  EXPECT_EQ(run(*model, {"a a a a a a ab"}, R"({"as":"query"})")->ids, (Ids{{kA}}));
  EXPECT_EQ(run(*model, {"a"})->ids, (Ids{{5, 2, 3, 6}}));
  const auto none = run(*model, {}, R"({"as":"query"})");
  ASSERT_TRUE(none);
  // Tokens beyond the list have no weight.
  F0Maker fewer = splade(kBias);
  fewer.tensors.push_back({"token_head.query_weights", {6}, 0, bytes_of({9, 0, 9, 9, 9, 0.5F})});
  EXPECT_EQ(run(*model_of(fewer), {"ab zz"}, R"({"as":"query"})")->ids, (Ids{{kA}}));
}

TEST(SparseJob, PutsThePromptOfTheRoleBeforeTexts) {
  F0Maker maker = own_words(1);
  maker.metadata.emplace_back("prompts", R"({"query":"ab ","document":""})");
  const auto model = model_of(maker);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(run(*model, {"a"}, R"({"as":"query"})")->ids, (Ids{{kA, kB}}));
  EXPECT_EQ(run(*model, {"a"})->ids, (Ids{{kA}}));
}

TEST(SparseJob, RefusesBadOptionsAndLongTexts) {
  const auto model = model_of(splade(kBias));
  for (const auto& [options, code, path] :
       std::vector<std::tuple<const char*, ErrorCode, const char*>>{
           {R"({"k":0})", ErrorCode::BadValue, "options.k"},
           {R"({"k":-1})", ErrorCode::BadValue, "options.k"},
           {R"({"as":"passage"})", ErrorCode::BadValue, "options.as"},
           {R"({"truncate":"no"})", ErrorCode::BadValue, "options.truncate"},
           {R"({"truncate":"error","list":"docs"})", ErrorCode::LimitExceeded, "docs[1]"}}) {
    const auto refused = run(*model, {"a", "a a a a a"}, options);
    ASSERT_FALSE(refused) << options;
    EXPECT_EQ(refused.error().code, code) << options;
    EXPECT_EQ(refused.error().path, path) << options;
  }
  F0Maker plain;
  EXPECT_EQ(SparseJob::begin(*model_of(plain), "{}").error().code, ErrorCode::Unsupported);
}

TEST(SparseJob, RefusesWeightsThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  F0Maker queries = splade(kBias);
  queries.tensors.push_back(
      {"token_head.query_weights", {8}, 0, bytes_of({0, 0, 0, 0, 0, nan, 0, 0})});
  F0Maker hidden = splade(kBias);
  for (auto& tensor : hidden.tensors) {
    if (tensor.name == "encoder.layer.0.output.LayerNorm.bias") {
      tensor.data = bytes_of({0, 0, nan, 0});
    }
  }
  for (const auto& [maker, options] : std::vector<std::pair<F0Maker, const char*>>{
           {splade({0, 0, nan, 0, 0, 0, 0, 0}), "{}"},
           {own_words(std::numeric_limits<float>::infinity()), "{}"},
           {hidden, "{}"},
           {queries, R"({"as":"query"})"}}) {
    const auto model = model_of(maker);
    ASSERT_TRUE(model) << describe(model.error());
    const auto refused = run(*model, {"\xC3\xA9", "a"}, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path.substr(0, 5), "texts");
  }
}

}  // namespace
}  // namespace ambry::api::sparse_encoders
