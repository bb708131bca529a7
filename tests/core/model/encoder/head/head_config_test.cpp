#include "model/encoder/head/head_config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambry::model {
namespace {

constexpr HeadLayout kLayout = {.classifier = "classifier", .dense = "pooler.dense"};
constexpr uint32_t kHidden = 4;

Model with_head(std::vector<std::pair<std::string, tensor::Shape>> tensors,
                std::vector<std::pair<std::string, std::string>> metadata) {
  Model model;
  for (auto& [name, shape] : tensors) model.tensors.push_back({.name = name, .shape = shape});
  for (auto& [key, value] : metadata) model.metadata.set(key, value);
  return model;
}

const std::vector<std::pair<std::string, tensor::Shape>> kTwoLabels = {
    {"bert.pooler.dense.weight", {4, 4}},
    {"bert.pooler.dense.bias", {4}},
    {"classifier.weight", {2, 4}},
    {"classifier.bias", {2}}};
const std::pair<std::string, std::string> kLabels = {"id2label", R"({"1":"good","0":"bad"})"};

Error error_of(const Model& model, const HeadLayout& layout = kLayout) {
  auto head = head_config(model, layout, kHidden);
  return head ? Error() : Error(head.take_error());
}

TEST(HeadConfig, ComesFromLabelsAndTensors) {
  const auto head = head_config(with_head(kTwoLabels, {kLabels}), kLayout, kHidden);
  ASSERT_TRUE(head) << head.error().message;
  ASSERT_TRUE(*head);
  EXPECT_EQ((*head)->labels, (std::vector<std::string>{"bad", "good"}));
  EXPECT_EQ((*head)->dense_size, 4U);
  EXPECT_TRUE((*head)->dense_bias);
  EXPECT_TRUE((*head)->classifier_bias);
  EXPECT_EQ((*head)->activation, DenseActivation::Tanh);
  EXPECT_EQ((*head)->score_activation, DenseActivation::Identity);
  EXPECT_EQ((*head)->problem_type, ProblemType::NotStated);
}

TEST(HeadConfig, OneLabelIsScoredBySigmoid) {
  const auto head =
      head_config(with_head({{"classifier.weight", {1, 4}}}, {{"id2label", R"({"0":"LABEL_0"})"}}),
                  kLayout, kHidden);
  ASSERT_TRUE(head && *head);
  EXPECT_EQ((*head)->score_activation, DenseActivation::Sigmoid);
  EXPECT_EQ((*head)->dense_size, 0U);
  EXPECT_FALSE((*head)->classifier_bias);
}

TEST(HeadConfig, IsAbsentWithoutBoth) {
  const auto pooler_alone =
      head_config(with_head({{"pooler.dense.weight", {4, 4}}}, {}), kLayout, kHidden);
  ASSERT_TRUE(pooler_alone);
  EXPECT_FALSE(*pooler_alone);
}

TEST(HeadConfig, ReadsWhatItWrites) {
  HeadConfig written;
  written.labels = {"a \"quoted\" one", "zwei", "three"};
  written.problem_type = ProblemType::MultiLabel;
  written.score_activation = DenseActivation::Tanh;
  written.pooling = HeadPooling::Late;
  written.activation = DenseActivation::Gelu;
  written.dense_size = 6;
  Model model = with_head({{"pooler.dense.weight", {6, 4}}, {"classifier.weight", {3, 6}}}, {});
  set_head_metadata(written, kLayout, model.metadata);
  const auto head = head_config(model, kLayout, kHidden);
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(**head, written);
}

TEST(HeadConfig, RefusesAHeadWithoutLabels) {
  const Error error = error_of(with_head(kTwoLabels, {}));
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.path, "metadata.id2label");
  EXPECT_NE(error.message.find("2 outputs"), std::string::npos) << error.message;
}

TEST(HeadConfig, RefusesLabelsWithoutAHead) {
  const Error error = error_of(with_head({}, {kLabels}));
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_NE(error.message.find("classifier.weight"), std::string::npos) << error.message;
}

TEST(HeadConfig, RefusesAnotherNumberOfLabels) {
  const Error error = error_of(with_head(kTwoLabels, {{"id2label", R"({"0":"only"})"}}));
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_EQ(error.path, "metadata.id2label");
  EXPECT_EQ(error.message, "1 label, but classifier.weight has 2 rows");
}

TEST(HeadConfig, RefusesSizesThatDoNotFollow) {
  const Error wide = error_of(with_head({{"classifier.weight", {2, 5}}}, {kLabels}));
  EXPECT_EQ(wide.code, ErrorCode::Mismatch);
  EXPECT_EQ(wide.path, "tensors[0].shape");
  const Error dense =
      error_of(with_head({{"pooler.dense.weight", {4}}, {"classifier.weight", {2, 4}}}, {kLabels}));
  EXPECT_EQ(dense.code, ErrorCode::Mismatch);
  EXPECT_EQ(dense.path, "tensors[0].shape");
}

TEST(HeadConfig, RefusesLabelsThatAreNotNumbered) {
  for (const char* labels : {R"({"0":"a","2":"b"})", R"({"0":"a","0":"b"})", R"({"x":"a","1":"b"})",
                             R"({"0":"a","1":2})", R"(["a","b"])", R"({"0":"a","1")",
                             R"({"0":"a","18446744073709551616":"b"})", R"({"":"a","1":"b"})"}) {
    const Error error = error_of(with_head(kTwoLabels, {{"id2label", labels}}));
    EXPECT_EQ(error.code, ErrorCode::BadValue) << labels;
    EXPECT_EQ(error.path, "metadata.id2label") << labels;
  }
}

TEST(HeadConfig, RefusesUnknownSettings) {
  for (const char* key :
       {kProblemType, kScoreActivation, kClassifierPooling, kClassifierActivation}) {
    const Error error = error_of(with_head(kTwoLabels, {kLabels, {key, "odd"}}));
    EXPECT_EQ(error.code, ErrorCode::Unsupported) << key;
    EXPECT_EQ(error.path, std::string("metadata.") + key);
  }
  // A known activation that no score has.
  const Error relu = error_of(with_head(kTwoLabels, {kLabels, {kScoreActivation, "relu"}}));
  EXPECT_EQ(relu.code, ErrorCode::Unsupported);
}

TEST(HeadConfig, RefusesLabelsOfAnArchitectureWithoutHeads) {
  const Error error = error_of(with_head(kTwoLabels, {kLabels}), HeadLayout{});
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::model
