// Converts directories of encoders with a classification head.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/expect_format.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

namespace embd = formats::embd::testing;
using testing::File;

std::vector<embd::Tensor> tensors_with_head(uint32_t n_labels) {
  std::vector<embd::Tensor> tensors = embd::tiny_tensors();
  for (embd::Tensor& tensor : tensors) tensor.name.insert(0, "bert.");
  tensors.push_back({"bert.pooler.dense.weight", {4, 4}});
  tensors.push_back({"bert.pooler.dense.bias", {4}});
  tensors.push_back({"classifier.weight", {n_labels, 4}});
  tensors.push_back({"classifier.bias", {n_labels}});
  return tensors;
}

// config.json of the tiny encoder with more members.
SideFiles directory(const std::string& more) {
  SideFiles files;
  files.add("config.json", R"({"model_type":"bert","vocab_size":8,"hidden_size":4,
    "num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":6,
    "max_position_embeddings":6)" +
                               more + "}");
  files.add("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n\xC3\xA9\n");
  return files;
}

constexpr const char* kClassifier = R"(,"architectures":["BertForSequenceClassification"])";
constexpr const char* kOneLabel = R"(,"id2label":{"0":"LABEL_0"})";

std::string both(const char* first, const char* second) { return std::string(first) + second; }

Result<File> convert(const std::string& more, uint32_t n_labels = 1, const Options& options = {},
                     std::vector<Error>* warnings = nullptr) {
  const File weights = testing::tiny_safetensors("", tensors_with_head(n_labels));
  return testing::run(weights, directory(more), options, warnings);
}

Error refused(const std::string& more, uint32_t n_labels = 1) {
  auto file = convert(more, n_labels);
  return file ? Error() : Error(file.take_error());
}

TEST(HeadConversion, KeepsTheHeadAndItsLabels) {
  std::vector<Error> warnings;
  const auto file = convert(
      both(kClassifier,
           R"(,"id2label":{"0":"no","1":"yes"},"problem_type":"multi_label_classification")"),
      2, {}, &warnings);
  ASSERT_TRUE(file) << describe(file.error());
  const model::Model model = *testing::sound_model(*file, "embd");
  const auto config = model::encoder_config(model);
  ASSERT_TRUE(config && config->head);
  EXPECT_EQ(config->head->labels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(config->head->problem_type, model::ProblemType::MultiLabel);
  EXPECT_EQ(config->head->score_activation, model::DenseActivation::Identity);
  EXPECT_EQ(config->head->dense_size, 4U);
  ASSERT_NE(model.find("classifier.weight"), nullptr);
  ASSERT_NE(model.find("pooler.dense.bias"), nullptr);
  // How sentence vectors would be pooled does not matter, so only the vocabulary is a guess.
  for (const Error& warning : warnings) EXPECT_NE(warning.path, "modules.json");
}

TEST(HeadConversion, KeepsTheHeadInFloats) {
  Options options;
  options.dtype = tensor::DType::Int8;
  const auto file = convert(both(kClassifier, kOneLabel), 1, options);
  ASSERT_TRUE(file) << describe(file.error());
  const model::Model model = *testing::sound_model(*file, "embd");
  EXPECT_EQ(model.find("encoder.layer.0.output.dense.weight")->dtype, tensor::DType::I8);
  EXPECT_EQ(model.find("pooler.dense.weight")->dtype, tensor::DType::F32);
  EXPECT_EQ(model.find("classifier.weight")->dtype, tensor::DType::F32);
  // A written file is converted again as it is.
  const auto again = testing::run(*file, {}, testing::to("embd"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *file);
}

TEST(HeadConversion, ReadsWhatSentenceTransformersApplies) {
  using model::DenseActivation;
  const std::vector<std::pair<std::string, DenseActivation>> kSettings = {
      {"", DenseActivation::Sigmoid},
      {R"(,"sbert_ce_default_activation_function":"torch.nn.modules.linear.Identity")",
       DenseActivation::Identity},
      {R"(,"sbert_ce_default_activation_function":null)", DenseActivation::Sigmoid},
      {R"(,"sentence_transformers":{"activation_fn":"torch.nn.modules.linear.Identity"})",
       DenseActivation::Identity},
      {R"(,"sentence_transformers":{"activation_fn":"torch.nn.modules.activation.Tanh"})",
       DenseActivation::Tanh}};
  for (const auto& [setting, activation] : kSettings) {
    const auto file = convert(both(kClassifier, kOneLabel) + setting);
    ASSERT_TRUE(file) << describe(file.error());
    const auto config = model::encoder_config(*testing::sound_model(*file, "embd"));
    EXPECT_EQ(config->head->score_activation, activation) << setting;
  }
  const Error error =
      refused(both(kClassifier, kOneLabel) +
              R"(,"sentence_transformers":{"activation_fn":"torch.nn.modules.activation.ReLU"})");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "config.json.sentence_transformers.activation_fn");
}

TEST(HeadConversion, TakesTheChainOfACrossEncoder) {
  SideFiles files = directory(both(kClassifier, kOneLabel));
  files.add("modules.json", R"([{"path":"","type":"x.Transformer"}])");
  const File weights = testing::tiny_safetensors("", tensors_with_head(1));
  EXPECT_TRUE(testing::run(weights, files, {}));

  SideFiles without = directory("");
  without.add("modules.json", R"([{"path":"","type":"x.Transformer"}])");
  const auto refused = testing::run(testing::tiny_safetensors(), without, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "modules.json");
}

TEST(HeadConversion, NumbersLabelsThatHaveNoNames) {
  const auto file = convert(both(kClassifier, R"(,"num_labels":3)"), 3);
  ASSERT_TRUE(file) << describe(file.error());
  const auto config = model::encoder_config(*testing::sound_model(*file, "embd"));
  EXPECT_EQ(config->head->labels, (std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"}));
}

TEST(HeadConversion, RefusesAHeadWithoutLabels) {
  const Error error = refused(kClassifier);
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.path, "config.json.id2label");
}

TEST(HeadConversion, RefusesAnotherNumberOfLabels) {
  const Error error = refused(both(kClassifier, kOneLabel), 3);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_EQ(error.path, "config.json.id2label");
  EXPECT_NE(error.message.find("1 label, but classifier.weight has 3 rows"), std::string::npos)
      << error.message;
}

TEST(HeadConversion, RefusesAHeadThatIsNotThere) {
  const auto file =
      testing::run(testing::tiny_safetensors(), directory(both(kClassifier, kOneLabel)), {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::NotFound);
  EXPECT_EQ(file.error().path, "pooler.dense.weight");
}

TEST(HeadConversion, RefusesAHeadThatIsNotStated) {
  const Error error = refused(R"(,"architectures":["BertModel"])");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "classifier.weight");
}

TEST(HeadConversion, RefusesHeadsOfOtherTasksByName) {
  const Error choices = refused(R"(,"architectures":["BertForMultipleChoice"])");
  EXPECT_EQ(choices.code, ErrorCode::Unsupported);
  EXPECT_EQ(choices.path, "config.json.architectures");
  EXPECT_NE(choices.message.find("multiple choice is not supported"), std::string::npos);
}

// The weights and whether their head is left out, with a warning for each of its tensors.
void expect_left_out(const SideFiles& files, const char* path) {
  std::vector<Error> warnings;
  const auto file =
      testing::run(testing::tiny_safetensors("", tensors_with_head(2)), files, {}, &warnings);
  ASSERT_TRUE(file) << describe(file.error());
  const model::Model model = *testing::sound_model(*file, "embd");
  EXPECT_EQ(model.find("classifier.weight"), nullptr);
  EXPECT_FALSE(model::encoder_config(model)->head);
  const auto is_it = [&](const Error& warning) { return warning.path == path; };
  EXPECT_EQ(std::ranges::count_if(warnings, is_it), 1) << path;
}

TEST(HeadConversion, LeavesTheHeadOutBesideTheEncodersClass) {
  // As gte-multilingual-base, which states no labels.
  expect_left_out(directory(R"(,"architectures":["BertModel","BertForTokenClassification"])"),
                  "classifier.weight");
}

TEST(HeadConversion, LeavesTheHeadOutWhereTheModulesPool) {
  for (const char* more : {"", R"(,"architectures":["BertForTokenClassification"])",
                           R"(,"architectures":["BertForSequenceClassification"])"}) {
    SideFiles files = directory(more);
    files.add("modules.json",
              R"([{"path":"","type":"x.Transformer"},{"path":"1_Pooling","type":"x.Pooling"}])");
    files.add("1_Pooling/config.json", R"({"pooling_mode":"mean"})");
    expect_left_out(files, "classifier.bias");
  }
}

TEST(HeadConversion, NamesTheCodeThatTheWeightsAreOf) {
  const std::string code =
      R"(,"auto_map":{"AutoConfig":"a.Config","AutoModel":"modeling_own.OwnModel"})";
  std::vector<Error> warnings;
  const auto fits = testing::run(testing::tiny_safetensors(), directory(code), {}, &warnings);
  ASSERT_TRUE(fits) << describe(fits.error());
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const Error& warning) {
    return warning.path == "config.json.auto_map" &&
           warning.message.find("modeling_own.OwnModel, is not run; the model runs as bert does") !=
               std::string::npos;
  }));
  auto tensors = formats::embd::testing::tiny_tensors();
  tensors.front().name = "emb.weight";
  const auto file = testing::run(testing::tiny_safetensors("", tensors), directory(code), {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(file.error().path, "config.json.auto_map");
  EXPECT_NE(file.error().message.find("modeling_own.OwnModel"), std::string::npos);
}

TEST(HeadConversion, RefusesUnknownSettings) {
  for (const char* setting : {R"(,"problem_type":"odd")", R"(,"classifier_pooling":"max")",
                              R"(,"classifier_activation":"swish")"}) {
    const Error error = refused(both(kClassifier, kOneLabel) + setting);
    EXPECT_EQ(error.code, ErrorCode::Unsupported) << setting;
    EXPECT_TRUE(error.path.starts_with("config.json.")) << error.path;
  }
  const Error many = refused(both(kClassifier, R"(,"num_labels":70000)"));
  EXPECT_EQ(many.code, ErrorCode::LimitExceeded);
  EXPECT_EQ(many.path, "config.json.num_labels");
}

TEST(HeadConversion, LeavesFilesWithoutAHeadAsTheyWere) {
  const auto file = testing::run(testing::tiny_safetensors(), testing::tiny_directory(), {});
  ASSERT_TRUE(file);
  const model::Model model = *testing::sound_model(*file, "embd");
  for (const char* key : {"id2label", "activation_fn", "problem_type", "classifier_pooling"}) {
    EXPECT_EQ(model.metadata.find(key), nullptr) << key;
  }
}

}  // namespace
}  // namespace ambry::convert
