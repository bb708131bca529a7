// Converts directories of encoders with a head for tokens.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/expect_format.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert::token_heads {
namespace {

namespace embd = formats::embd::testing;
using model::HeadTask;
using testing::File;

using Tensors = std::vector<embd::Tensor>;

Tensors with(const Tensors& more) {
  Tensors tensors = embd::tiny_tensors();
  for (embd::Tensor& tensor : tensors) tensor.name.insert(0, "bert.");
  tensors.insert(tensors.end(), more.begin(), more.end());
  return tensors;
}

SideFiles directory(const std::string& classes, const std::string& more = "") {
  SideFiles files;
  files.add("config.json", R"({"model_type":"bert","vocab_size":8,"hidden_size":4,
    "num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":6,
    "max_position_embeddings":6,"architectures":)" +
                               classes + more + "}");
  files.add("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n\xC3\xA9\n");
  return files;
}

struct Made {
  model::Model model;
  model::EncoderConfig config;
  std::vector<Error> warnings;
};

Result<Made> convert(const Tensors& tensors, const SideFiles& files, const Options& options = {}) {
  Made made;
  AMBRY_TRY(const File file,
            testing::run(testing::tiny_safetensors("", tensors), files, options, &made.warnings));
  made.model = *testing::sound_model(file, "embd");
  AMBRY_TRY(made.config, model::encoder_config(made.model));
  return made;
}

Options filling() {
  Options options;
  options.head = "fillMask";
  return options;
}

const Tensors kTagger = {{"classifier.weight", {3, 4}}, {"classifier.bias", {3}}};
constexpr const char* kTaggerClass = R"(["BertForTokenClassification"])";
constexpr const char* kLabels = R"(,"id2label":{"0":"O","1":"B-PER","2":"I-PER"})";
const Tensors kMasked = {{"cls.predictions.transform.dense.weight", {4, 4}},
                         {"cls.predictions.transform.dense.bias", {4}},
                         {"cls.predictions.transform.LayerNorm.gamma", {4}},
                         {"cls.predictions.transform.LayerNorm.beta", {4}},
                         {"cls.predictions.bias", {8}},
                         {"cls.predictions.decoder.weight", {8, 4}},
                         {"cls.predictions.decoder.bias", {8}},
                         {"cls.seq_relationship.weight", {2, 4}}};
constexpr const char* kMaskedClass = R"(["BertForMaskedLM"])";

TEST(TokenHeadConversion, KeepsTheHeadOfATokenClassifier) {
  const auto made = convert(with(kTagger), directory(kTaggerClass, kLabels));
  ASSERT_TRUE(made) << describe(made.error());
  ASSERT_NE(made->config.token_head(), nullptr);
  EXPECT_EQ(made->config.head->task, HeadTask::TokenClassification);
  EXPECT_EQ(made->config.head->labels, (std::vector<std::string>{"O", "B-PER", "I-PER"}));
  EXPECT_TRUE(made->config.head->classifier_bias);
  EXPECT_NE(made->model.find("token_head.classifier.weight"), nullptr);
  // The first bytes show which code runs the file.
  EXPECT_EQ(made->model.metadata.members().front().first, "architecture");
  EXPECT_LT(made->model.metadata.members()[1].first, "tokenizer_l");
}

TEST(TokenHeadConversion, KeepsTheHeadThatAnswersQuestions) {
  const auto made = convert(with({{"qa_outputs.weight", {2, 4}}, {"qa_outputs.bias", {2}}}),
                            directory(R"(["BertForQuestionAnswering"])"));
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->config.head->task, HeadTask::QuestionAnswering);
}

TEST(TokenHeadConversion, KeepsTheHeadThatFillsMasksIfItIsAskedFor) {
  const auto made = convert(with(kMasked), directory(kMaskedClass), filling());
  ASSERT_TRUE(made) << describe(made.error());
  const model::HeadConfig& head = *made->config.head;
  EXPECT_EQ(head.task, HeadTask::FillMask);
  EXPECT_TRUE(head.tied && head.norm && head.norm_bias && head.dense_bias && head.classifier_bias);
  EXPECT_EQ(head.mask_id, 4U);
  EXPECT_EQ(made->model.find("token_head.classifier.weight"), nullptr);

  const auto without = convert(with(kMasked), directory(kMaskedClass));
  ASSERT_TRUE(without) << describe(without.error());
  EXPECT_FALSE(without->config.head);
  EXPECT_EQ(without->model.find("token_head.dense.weight"), nullptr);
}

TEST(TokenHeadConversion, TakesClassesForPreTraining) {
  const auto made = convert(with(kMasked), directory(R"(["BertForPreTraining"])"), filling());
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->config.head->task, HeadTask::FillMask);
  const auto electra = convert(with(kMasked), directory(R"(["ElectraForPreTraining"])"), filling());
  ASSERT_FALSE(electra);
  EXPECT_EQ(electra.error().path, "options.head");
}

TEST(TokenHeadConversion, SaysWhyT5FillsNoMasks) {
  SideFiles files = directory(R"(["T5EncoderModel"])");
  files.add("config.json", R"({"model_type":"t5","architectures":["T5ForConditionalGeneration"],
    "vocab_size":8,"d_model":4,"d_kv":2,"d_ff":6,"num_layers":1,"num_heads":2})");
  const auto made = convert(with({}), files, filling());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(made.error().path, "options.head");
  EXPECT_NE(made.error().message.find("<extra_id_0>"), std::string::npos);
}

TEST(TokenHeadConversion, KeepsAMatrixThatIsNotTied) {
  const auto made =
      convert(with(kMasked), directory(kMaskedClass, R"(,"tie_word_embeddings":false)"), filling());
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_FALSE(made->config.head->tied);
  EXPECT_NE(made->model.find("token_head.classifier.weight"), nullptr);
}

TEST(TokenHeadConversion, WritesTheSameFileAgain) {
  const File weights = testing::tiny_safetensors("", with(kTagger));
  Options options;
  options.dtype = tensor::DType::Int8;
  const auto file = testing::run(weights, directory(kTaggerClass, kLabels), options);
  ASSERT_TRUE(file) << describe(file.error());
  const model::Model model = *testing::sound_model(*file, "embd");
  EXPECT_EQ(model.find("encoder.layer.0.output.dense.weight")->dtype, tensor::DType::I8);
  EXPECT_EQ(model.find("token_head.classifier.weight")->dtype, tensor::DType::F32);
  const auto again = testing::run(*file, {}, testing::to("embd"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *file);
  const auto gguf = testing::run(*file, {}, testing::to("gguf"));
  ASSERT_FALSE(gguf);
  EXPECT_EQ(gguf.error().code, ErrorCode::Unsupported);
}

TEST(TokenHeadConversion, TheChainOfASentenceEncoderLeavesAHeadOut) {
  SideFiles files = directory(kTaggerClass, kLabels);
  files.add("modules.json",
            R"([{"path":"","type":"x.Transformer"},{"path":"1_Pooling","type":"x.Pooling"}])");
  files.add("1_Pooling/config.json", R"({"pooling_mode_mean_tokens":true})");
  const auto made = convert(with(kTagger), files);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_FALSE(made->config.head);
}

TEST(TokenHeadConversion, RefusesWhatIsMissingOrDoesNotFit) {
  const auto error_of = [](const Tensors& tensors, const SideFiles& files,
                           const Options& options = {}) {
    auto made = convert(with(tensors), files, options);
    return made ? Error() : Error(made.take_error());
  };
  const Error no_head = error_of({}, directory(kTaggerClass, kLabels));
  EXPECT_EQ(no_head.code, ErrorCode::NotFound);
  EXPECT_EQ(no_head.path, "classifier.weight");
  const Error labels = error_of(kTagger, directory(kTaggerClass, R"(,"id2label":{"0":"O"})"));
  EXPECT_EQ(labels.code, ErrorCode::Mismatch);
  EXPECT_EQ(labels.path, "config.json.id2label");
  const Error holes =
      error_of(kTagger, directory(kTaggerClass, R"(,"id2label":{"0":"O","2":"B","3":"I"})"));
  EXPECT_EQ(holes.code, ErrorCode::BadValue);
  EXPECT_EQ(holes.path, "config.json.id2label");
  EXPECT_EQ(error_of(kTagger, directory(kTaggerClass)).code, ErrorCode::NotFound);
  const Error not_masked = error_of(kTagger, directory(kTaggerClass, kLabels), filling());
  EXPECT_EQ(not_masked.code, ErrorCode::NotFound);
  EXPECT_EQ(not_masked.path, "options.head");
  Options odd;
  odd.head = "tagger";
  EXPECT_EQ(error_of(kTagger, directory(kTaggerClass, kLabels), odd).path, "options.head");
  const Error no_dense =
      error_of({{"cls.predictions.bias", {8}}}, directory(kMaskedClass), filling());
  EXPECT_EQ(no_dense.code, ErrorCode::NotFound);
  EXPECT_EQ(no_dense.path, "cls.predictions.transform.dense.weight");
}

}  // namespace
}  // namespace ambry::convert::token_heads
