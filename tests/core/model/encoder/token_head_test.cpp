#include "model/encoder/token_head.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/encoder/encoder_config.h"

namespace ambry::model::token_heads {
namespace {

using Shapes = std::vector<std::pair<std::string, tensor::Shape>>;

constexpr uint32_t kHidden = 4;
constexpr uint32_t kVocab = 9;

Model with_head(const Shapes& tensors, const std::string& head) {
  Model model;
  for (const auto& [name, shape] : tensors) {
    model.tensors.push_back({.name = name, .shape = shape});
  }
  model.metadata.set(kTokenHead, head);
  return model;
}

EncoderConfig encoder() {
  EncoderConfig config;
  config.vocab_size = kVocab;
  config.hidden_size = kHidden;
  return config;
}

Result<HeadConfig> read(const Shapes& tensors, const std::string& head) {
  EncoderConfig config = encoder();
  AMBRY_RETURN_IF_ERROR(read_token_head(with_head(tensors, head), config));
  return *config.head;
}

Error error_of(const Shapes& tensors, const std::string& head) {
  auto found = read(tensors, head);
  return found ? Error() : Error(found.take_error());
}

const Shapes kTwo = {{"token_head.classifier.weight", {2, 4}}, {"token_head.classifier.bias", {2}}};
constexpr const char* kLabels = R"({"task":"token_classification","labels":["O","B-X"]})";

TEST(TokenHeadConfig, ComesFromMetadataAndTensors) {
  const auto head = read(kTwo, kLabels);
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->task, HeadTask::TokenClassification);
  EXPECT_EQ(head->labels, (std::vector<std::string>{"O", "B-X"}));
  EXPECT_TRUE(head->classifier_bias);
  EXPECT_EQ(head->dense_size, 0U);

  const auto answers = read(kTwo, R"({"task":"question_answering"})");
  ASSERT_TRUE(answers) << describe(answers.error());
  EXPECT_EQ(answers->task, HeadTask::QuestionAnswering);
}

TEST(TokenHeadConfig, IsAbsentWhereNothingStatesIt) {
  EncoderConfig config = encoder();
  ASSERT_TRUE(read_token_head(Model(), config));
  EXPECT_FALSE(config.head);
}

TEST(TokenHeadConfig, ReadsWhatItWrites) {
  HeadConfig written;
  written.task = HeadTask::FillMask;
  written.activation = DenseActivation::GeluTanh;
  written.dense_size = 4;
  written.dense_bias = true;
  written.norm = true;
  written.tied = true;
  written.classifier_bias = true;
  written.mask_id = 8;
  io::Json metadata = io::Json::object();
  set_token_head_metadata(written, metadata);
  const auto again = read({{"token_head.dense.weight", {4, 4}},
                           {"token_head.dense.bias", {4}},
                           {"token_head.norm.weight", {4}},
                           {"token_head.classifier.bias", {9}}},
                          metadata.find(kTokenHead)->string());
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, written);
}

TEST(TokenHeadConfig, RefusesWhatDoesNotFitTheTensors) {
  const Error labels = error_of(kTwo, R"({"task":"token_classification","labels":["O"]})");
  EXPECT_EQ(labels.code, ErrorCode::Mismatch);
  EXPECT_EQ(labels.path, "metadata.token_head");
  EXPECT_EQ(
      error_of({{"token_head.classifier.weight", {3, 4}}}, R"({"task":"question_answering"})").code,
      ErrorCode::Mismatch);
  const Error width = error_of({{"token_head.classifier.weight", {2, 5}}}, kLabels);
  EXPECT_EQ(width.code, ErrorCode::Mismatch);
  EXPECT_EQ(width.path, "tensors[0].shape");
  EXPECT_EQ(error_of({}, kLabels).code, ErrorCode::NotFound);
  // Word embeddings have four numbers, and the dense layer gives three.
  EXPECT_EQ(error_of({{"token_head.dense.weight", {3, 4}}}, R"({"task":"fill_mask"})").code,
            ErrorCode::Mismatch);
}

TEST(TokenHeadConfig, RefusesUnknownSettings) {
  for (const auto& [head, code] : std::vector<std::pair<const char*, ErrorCode>>{
           {R"({"task":"multiple_choice"})", ErrorCode::Unsupported},
           {R"({"labels":["O","B-X"]})", ErrorCode::Unsupported},
           {R"({"task":"question_answering","layers":2})", ErrorCode::Unsupported},
           {R"({"task":"question_answering","activation":"swish"})", ErrorCode::Unsupported},
           {R"({"task":"token_classification"})", ErrorCode::BadValue},
           {R"({"task":"token_classification","labels":[]})", ErrorCode::BadValue},
           {R"({"task":"token_classification","labels":["O",1]})", ErrorCode::BadValue},
           {R"({"task":"fill_mask","mask":9})", ErrorCode::BadValue},
           {R"({"task":"fill_mask","mask":-1})", ErrorCode::BadValue},
           {R"({"task":["fill_mask"]})", ErrorCode::Unsupported},
           {"[]", ErrorCode::BadValue},
           {"{", ErrorCode::BadValue}}) {
    const Error error = error_of(kTwo, head);
    EXPECT_EQ(error.code, code) << head << ": " << error.message;
    EXPECT_EQ(error.path, "metadata.token_head") << head;
  }
}

TEST(TokenHeadConfig, SaysHowASparseEncoderPools) {
  const Shapes tied = {{"token_head.classifier.bias", {9}}};
  const auto usual = read(tied, R"({"task":"sparse"})");
  ASSERT_TRUE(usual) << describe(usual.error());
  EXPECT_TRUE(usual->tied);
  EXPECT_EQ(usual->sparse, (SparseSettings{false, false, 1, 0}));

  HeadConfig written;
  written.task = HeadTask::Sparse;
  written.activation = DenseActivation::Gelu;
  written.tied = true;
  written.classifier_bias = true;
  written.sparse = {false, true, 2, 9};
  io::Json metadata = io::Json::object();
  set_token_head_metadata(written, metadata);
  const auto again = read({{"token_head.classifier.bias", {9}}, {"token_head.query_weights", {9}}},
                          metadata.find(kTokenHead)->string());
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, written);

  const auto own = read({{"token_head.classifier.weight", {1, 4}}},
                        R"({"task":"sparse","words":"own","logarithms":0})");
  ASSERT_TRUE(own) << describe(own.error());
  EXPECT_FALSE(own->tied);
  EXPECT_EQ(own->sparse, (SparseSettings{true, false, 0, 0}));
}

TEST(TokenHeadConfig, RefusesOddSettingsOfSparseEncoders) {
  const Shapes tied = {{"token_head.classifier.bias", {9}}};
  for (const char* head :
       {R"({"task":"sparse","pooling":"mean"})", R"({"task":"sparse","pooling":1})",
        R"({"task":"sparse","words":"some"})", R"({"task":"sparse","logarithms":3})",
        R"({"task":"sparse","logarithms":-1})"}) {
    EXPECT_EQ(error_of(tied, head).code, ErrorCode::BadValue) << head;
  }
  // Each token has one number, and there must be a matrix for it.
  EXPECT_EQ(error_of(tied, R"({"task":"sparse","words":"own"})").code, ErrorCode::NotFound);
  EXPECT_EQ(error_of(kTwo, R"({"task":"sparse","words":"own"})").code, ErrorCode::Mismatch);
  EXPECT_EQ(error_of(kTwo, R"({"task":"sparse"})").code, ErrorCode::Mismatch);
  for (const tensor::Shape& shape : {tensor::Shape{10}, tensor::Shape{9, 1}}) {
    EXPECT_EQ(error_of({{"token_head.query_weights", shape}}, R"({"task":"sparse"})").code,
              ErrorCode::Mismatch);
  }
}

TEST(TokenHeadConfig, StandsAlone) {
  EncoderConfig config = encoder();
  config.head.emplace();
  const auto refused = read_token_head(with_head(kTwo, kLabels), config);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::model::token_heads
