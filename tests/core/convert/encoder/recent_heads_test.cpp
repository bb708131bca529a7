// The heads of EuroBERT, NeoBERT, RoFormer and MobileBERT: which parts they have, and how they
// pool.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "convert/encoder/architecture_directory.h"
#include "convert/run_conversion.h"
#include "formats/expect_format.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

using testing::File;

class HeadDirectory {
 public:
  explicit HeadDirectory(const std::string& name, const char* ending)
      : of_(ArchitectureCase::read(name)) {
    io::Json& classes = of_.config_json.set("architectures", io::Json::array());
    classes.append(concat({"Made", ending}));
    io::Json& labels = of_.config_json.set("id2label", io::Json::object());
    for (const char* number : {"0", "1", "2"}) labels.set(number, concat({"label ", number}));
  }

  HeadDirectory& set(const char* key, const io::Json& value) {
    of_.config_json.set(key, value);
    return *this;
  }

  HeadDirectory& layer(const std::string& part, uint64_t out, uint64_t in) {
    add(part + ".weight", {out, in});
    add(part + ".bias", {out});
    return *this;
  }

  [[nodiscard]] Result<File> convert() const {
    return testing::run(testing::safetensors_of(of_), testing::side_files(of_),
                        testing::to("embd"));
  }

  [[nodiscard]] model::HeadConfig head() const {
    const auto file = convert();
    EXPECT_TRUE(file) << describe(file.error());
    if (!file) return {};
    const auto config = model::encoder_config(*testing::sound_model(*file, "embd"));
    EXPECT_TRUE(config && config->head);
    return config && config->head ? *config->head : model::HeadConfig();
  }

 private:
  void add(const std::string& name, const tensor::Shape& shape) {
    of_.model.tensors.push_back({.name = name,
                                 .dtype = tensor::DType::F32,
                                 .shape = shape,
                                 .offset = 0,
                                 .bytes = *shape.count() * sizeof(float)});
  }

  ArchitectureCase of_;
};

HeadDirectory eurobert() {
  HeadDirectory made("eurobert", "ForSequenceClassification");
  made.layer("dense", 36, 36).layer("classifier", 3, 36);
  return made;
}

TEST(RecentHeads, EuroBertPoolsLateUnlessItsConfigSaysOtherwise) {
  using model::HeadPooling;
  const std::pair<const char*, HeadPooling> kPoolings[] = {{nullptr, HeadPooling::Late},
                                                           {"late", HeadPooling::Late},
                                                           {"bos", HeadPooling::First},
                                                           {"mean", HeadPooling::Mean}};
  for (const auto& [name, pooling] : kPoolings) {
    HeadDirectory directory = eurobert();
    if (name != nullptr) directory.set("classifier_pooling", name);
    const model::HeadConfig head = directory.head();
    EXPECT_EQ(head.pooling, pooling);
    EXPECT_EQ(head.dense_size, 36U);
    EXPECT_EQ(head.activation, model::DenseActivation::Gelu);
  }
  EXPECT_EQ(eurobert().set("clf_pooling", "mean").head().pooling, HeadPooling::Mean);
  const auto odd = eurobert().set("classifier_pooling", "eos").convert();
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().path, "config.json.classifier_pooling");
}

TEST(RecentHeads, RoFormersDenseLayerHasTheActivationOfLayers) {
  HeadDirectory directory("roformer", "ForSequenceClassification");
  directory.layer("classifier.dense", 36, 36).layer("classifier.out_proj", 3, 36);
  EXPECT_EQ(directory.head().activation, model::DenseActivation::Gelu);
  directory.set("hidden_act", "gelu_new");
  EXPECT_EQ(directory.head().activation, model::DenseActivation::GeluTanh);
  directory.set("hidden_act", "relu");
  EXPECT_EQ(directory.head().activation, model::DenseActivation::Relu);
}

TEST(RecentHeads, MobileBertHasAPoolerUnlessItsConfigSaysOtherwise) {
  HeadDirectory without("mobilebert", "ForSequenceClassification");
  without.layer("classifier", 3, 36);
  EXPECT_EQ(without.head().dense_size, 0U);
  // One that is there all the same is not used.
  EXPECT_EQ(without.layer("pooler.dense", 36, 36).head().dense_size, 0U);
  HeadDirectory with("mobilebert", "ForSequenceClassification");
  with.set("classifier_activation", true).layer("classifier", 3, 36);
  const auto missing = with.convert();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().path, "pooler.dense.weight");
  const model::HeadConfig head = with.layer("pooler.dense", 36, 36).head();
  EXPECT_EQ(head.dense_size, 36U);
  EXPECT_EQ(head.activation, model::DenseActivation::Tanh);
}

TEST(RecentHeads, NeoBertHasADenseLayerBeforeLabels) {
  HeadDirectory texts("neobert", "ForSequenceClassification");
  EXPECT_EQ(texts.layer("dense", 36, 36).layer("classifier", 3, 36).head().activation,
            model::DenseActivation::Tanh);
  HeadDirectory tokens("neobert", "ForTokenClassification");
  const model::HeadConfig head = tokens.layer("dense", 36, 36).layer("classifier", 3, 36).head();
  EXPECT_EQ(head.task, model::HeadTask::TokenClassification);
  EXPECT_EQ(head.activation, model::DenseActivation::Tanh);
  EXPECT_EQ(head.dense_size, 36U);
  HeadDirectory answers("neobert", "ForQuestionAnswering");
  EXPECT_EQ(answers.layer("qa_outputs", 2, 36).head().dense_size, 0U);
}

TEST(RecentHeads, NeoBertFillsMasksByItsOwnMatrix) {
  ArchitectureCase of = ArchitectureCase::read("neobert");
  of.config_json.set("architectures", io::Json::array()).append("NeoBERTLMHead");
  of.model.tensors.push_back({.name = "decoder.weight",
                              .dtype = tensor::DType::F32,
                              .shape = {61, 36},
                              .offset = 0,
                              .bytes = 61 * 36 * 4});
  of.model.tensors.push_back({.name = "decoder.bias",
                              .dtype = tensor::DType::F32,
                              .shape = {61},
                              .offset = 0,
                              .bytes = 61 * 4});
  Options options = testing::to("embd");
  options.head = "fillMask";
  const auto file =
      testing::run(testing::safetensors_of(of, "model."), testing::side_files(of), options);
  ASSERT_TRUE(file) << describe(file.error());
  const auto config = model::encoder_config(*testing::sound_model(*file, "embd"));
  ASSERT_TRUE(config && config->head);
  EXPECT_EQ(config->head->task, model::HeadTask::FillMask);
  EXPECT_FALSE(config->head->tied);
  EXPECT_TRUE(config->head->classifier_bias);
}

}  // namespace
}  // namespace ambry::convert
