#include <gtest/gtest.h>

#include <cstring>

#include "api/image_classifier/image_classifier_model.h"
#include "api/model/load_model.h"
#include "infer/cnn/synthetic_network.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using formats::tinyruntime::testing::Maker;
using model::CnnVariant;
using File = std::vector<uint8_t>;

constexpr const char* kPlan = R"({"input": [1, 2, 2], "ops": ["conv", "flatten"],
    "image": {"mean": [0], "std": [1]}, "labels": ["a", "b", "c", "d"]})";

Maker pass_on() {
  Maker maker;
  maker.convs = {{1, 1, 0, 1, 1, false}};
  maker.linears = {};
  maker.batch_norms = {};
  maker.n_classes = 4;
  return maker;
}

// One conv of weight 1.
File pass_on_file() {
  Maker maker = pass_on();
  File file = maker.make();
  store_le(&file[maker.places.data], 1.0F);
  return file;
}

Result<ImageClassifierModel> load(const File& file) {
  return testing::load_model<ImageClassifierModel>(file);
}

Result<io::Json> finish(ClassifyJob& job) {
  AMBRY_RETURN_IF_ERROR(job.start());
  for (bool done = false; !done;) AMBRY_TRY(done, job.step());
  AMBRY_TRY(const std::string text, job.result());
  return io::parse_json(text);
}

Result<io::Json> classify(const ImageClassifierModel& session, const std::vector<float>& numbers,
                          std::string_view options = "{}") {
  AMBRY_TRY(ClassifyJob job, session.begin_classify(options));
  AMBRY_TRY(const std::span<float> room, job.tensor(numbers.size()));
  std::ranges::copy(numbers, room.begin());
  return finish(job);
}

ImageClassifierModel planned() {
  auto session = load(pass_on_file());
  EXPECT_TRUE(session) << describe(session.error());
  const auto used = session->use_plan(kPlan);
  EXPECT_TRUE(used) << describe(used.error());
  return std::move(session).value();
}

TEST(Classify, GivesTheBestFirstWithTheirLabels) {
  const auto result = classify(planned(), {1, 3, 2, 3}, R"({"k": 3})");
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->find("logits")->items()[2].number(), 2);
  const auto& top = result->find("labels")->items();
  ASSERT_EQ(top.size(), 3U);
  EXPECT_EQ(top[0].find("index")->uint(), 1U) << "the first of two that are equal";
  EXPECT_EQ(top[1].find("index")->uint(), 3U);
  EXPECT_EQ(top[0].find("label")->string(), "b");
  EXPECT_NEAR(top[0].find("score")->number(), 0.3995, 1e-4);
  EXPECT_EQ(result->find("trace"), nullptr);
  const auto likely = classify(planned(), {1, 3, 2, 3}, R"({"threshold": 0.3})");
  ASSERT_TRUE(likely) << describe(likely.error());
  EXPECT_EQ(likely->find("labels")->items().size(), 2U);
}

TEST(Classify, ReturnsWhatTheNetworkComputes) {
  const ImageClassifierModel session = planned();
  auto job = session.begin_classify(R"({"activations": true, "trace": true})");
  ASSERT_TRUE(job) << describe(job.error());
  const auto room = job->tensor(4);
  ASSERT_TRUE(room) << describe(room.error());
  std::ranges::copy(std::vector<float>{1, 3, 2, 3}, room->begin());
  EXPECT_TRUE(job->activation_values().empty());
  const auto result = finish(*job);
  ASSERT_TRUE(result) << describe(result.error());
  const auto& kept = result->find("activations")->items();
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].find("op")->string(), "input");
  EXPECT_EQ(kept[1].find("op")->string(), "conv");
  EXPECT_EQ(kept[1].find("channels")->uint(), 1U);
  EXPECT_EQ(kept[2].find("shape")->items()[0].uint(), 4U);
  const std::span<const float> values = job->activation_values();
  ASSERT_EQ(values.size(), 12U);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], values[i % 4]) << i;
  EXPECT_EQ(result->find("trace")->items().size(), 3U) << "both observe the run";
}

TEST(Classify, AcceptsPictures) {
  const ImageClassifierModel session = planned();
  auto job = session.begin_classify("{}");
  ASSERT_TRUE(job);
  const auto room = job->picture(2, 2);
  ASSERT_TRUE(room) << describe(room.error());
  std::ranges::fill(*room, uint8_t{255});
  (*room)[0] = (*room)[1] = (*room)[2] = 51;
  const auto result = finish(*job);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_NEAR(result->find("logits")->items()[0].number(), 0.2, 1e-6);
  EXPECT_NEAR(result->find("logits")->items()[3].number(), 1, 1e-6);
}

TEST(Classify, DerivesTheGraphForTheSizeOfTheInput) {
  Maker maker;
  maker.variant = CnnVariant::Dq8;
  maker.convs = {{3, 1, 1, 3, 2, true}, {3, 1, 1, 2, 2, true}, {3, 1, 1, 2, 2, false}};
  maker.linears = {{4, 3, false}, {3, 3, true}};
  maker.batch_norms = {4, 3};
  auto session = load(infer::testing::synthetic_file(maker, 4));
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_NE(session->info().find(R"("plan":"derived","input":null,"classes":3)"),
            std::string::npos);
  EXPECT_GT(session->weight_bytes(), 0U);
  const auto result = classify(*session, std::vector<float>(3 * 64, 0.5F), R"({"trace": true})");
  ASSERT_TRUE(result) << describe(result.error());
  const auto& trace = result->find("trace")->items();
  EXPECT_EQ(trace[0].find("op")->string(), "input");
  EXPECT_EQ(trace[1].find("op")->string(), "quantize");
  EXPECT_EQ(trace[1].find("count")->uint(), 64U * 27U);
  EXPECT_EQ(trace[1].find("scaleCrc32")->string().size(), 8U);
  EXPECT_EQ(trace[2].find("op")->string(), "conv");
  EXPECT_EQ(trace[2].find("shape")->items()[1].uint(), 8U);
  auto job = session->begin_classify("{}");
  ASSERT_TRUE(job->picture(30, 20));
  ASSERT_TRUE(job->start());
  EXPECT_NE(job->layers().find(R"({"op":"conv","index":0,"shape":[2,224,224]})"),
            std::string::npos);
}

TEST(Classify, KeepsProbabilitiesComputedByThePlan) {
  auto session = load(pass_on_file());
  ASSERT_TRUE(session->use_plan(R"({"input": [1, 1, 2], "ops": ["conv", "flatten", "softmax"]})"));
  const auto result = classify(*session, {0, 0});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->find("labels")->items()[0].find("score")->number(), 0.5);
  EXPECT_EQ(result->find("labels")->items()[1].find("label")->string(), "1") << "without a plan's";
}

TEST(Classify, AsksForAPlan) {
  const auto session = load(pass_on_file());
  ASSERT_TRUE(session);
  EXPECT_NE(session->info().find(R"("plan":"needed")"), std::string::npos);
  const auto job = session->begin_classify("{}");
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, ErrorCode::Unsupported);
  EXPECT_NE(job.error().message.find("a plan is needed"), std::string::npos);
}

TEST(Classify, RejectsInputThatDoesNotFit) {
  auto session = load(pass_on_file());
  ASSERT_TRUE(session);
  const auto labels =
      session->use_plan(R"({"input": [1, 2, 2], "ops": ["conv", "flatten"], "labels": ["a"]})");
  ASSERT_FALSE(labels);
  EXPECT_EQ(labels.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(session->use_plan(R"({"input": [2, 2, 2], "ops": ["conv"]})").error().path,
            "plan.nodes[0]");
  ASSERT_TRUE(session->use_plan(R"({"input": [1, 2, 2], "ops": ["conv"]})"));
  EXPECT_EQ(classify(*session, {1, 2, 3}).error().path, "input");
  EXPECT_EQ(classify(*session, {}).error().path, "input");
  auto job = session->begin_classify("{}");
  EXPECT_EQ(job->picture(2, 2).error().path, "picture") << "the plan says nothing of pictures";
  EXPECT_EQ(job->step().error().path, "job");
  EXPECT_EQ(job->result().error().path, "job");
  for (const char* options : {R"({"k": 0})", R"({"k": -1})", R"({"threshold": 2})",
                              R"({"mode": "loose"})", R"({"trace": 1})"}) {
    const auto begun = session->begin_classify(options);
    ASSERT_FALSE(begun) << options;
    EXPECT_EQ(begun.error().path.substr(0, 8), "options.") << options;
  }
}

TEST(Classify, RejectsPicturesThatAreTooLarge) {
  const ImageClassifierModel session = planned();
  auto job = session.begin_classify("{}");
  EXPECT_EQ(job->picture(1U << 20U, 1U << 20U).error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(job->picture(UINT64_MAX, 2).error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(job->picture(0, 2).error().code, ErrorCode::BadValue);
}

TEST(Classify, LoadsNetworksOnly) {
  const File text = {'h', 'e', 'l', 'l', 'o'};
  const auto session = load(text);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::BadMagic);
}

}  // namespace
}  // namespace ambry::api
