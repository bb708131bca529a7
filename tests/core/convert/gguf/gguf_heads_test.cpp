// Classification heads of encoders, from GGUF and to it.
#include <gtest/gtest.h>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers

constexpr const char* kLabels = "bert.classifier.output_labels";

gg::GgufMaker classifier(const std::vector<std::string>& labels, uint32_t rows) {
  gg::GgufMaker maker = bert();
  maker.entry("bert.pooling_type") = gg::u32("bert.pooling_type", 4);
  if (!labels.empty()) maker.metadata.push_back(gg::texts(kLabels, labels));
  maker.tensors.push_back({"cls.weight", {32, 32}, kF16});
  maker.tensors.push_back({"cls.bias", {32}});
  maker.tensors.push_back({"cls.output.weight", {rows, 32}, kF16});
  maker.tensors.push_back({"cls.output.bias", {rows}});
  return maker;
}

gg::GgufMaker without_parts(gg::GgufMaker maker, std::string_view begin) {
  std::erase_if(maker.tensors,
                [&](const gg::Tensor& each) { return each.name.starts_with(begin); });
  return maker;
}

gg::GgufMaker with(gg::GgufMaker maker, gg::Entry entry) {
  maker.metadata.push_back(std::move(entry));
  return maker;
}

struct WithHead {
  File file;
  model::Model model;
  model::EncoderConfig config;
};

WithHead converted(const File& from) {
  WithHead made;
  auto file = run(from, {}, to("embd"));
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return made;
  made.file = std::move(*file);
  made.model = parsed(made.file, "embd");
  auto config = model::encoder_config(made.model);
  EXPECT_TRUE(config) << describe(config.error());
  if (config) made.config = std::move(*config);
  return made;
}

Error refused_head(gg::GgufMaker maker) {
  auto file = run(maker.make(), {}, to("embd"));
  EXPECT_FALSE(file);
  return file ? Error() : file.error();
}

TEST(GgufHeads, ARerankerKeepsItsHeadAndLabels) {
  const File from = classifier({"score"}, 1).make();
  const WithHead made = converted(from);
  ASSERT_TRUE(made.config.head);
  EXPECT_EQ(made.config.head->labels, std::vector<std::string>{"score"});
  EXPECT_EQ(made.config.head->dense_size, 32U);
  EXPECT_EQ(made.config.head->activation, model::DenseActivation::Tanh);
  EXPECT_EQ(made.config.head->score_activation, model::DenseActivation::Sigmoid);
  EXPECT_TRUE(made.config.head->dense_bias);
  const model::Model source = parsed(from, "gguf");
  EXPECT_EQ(values_of(made.file, made.model, "pooler.dense.weight"),
            values_of(from, source, "cls.weight"));
  EXPECT_EQ(values_of(made.file, made.model, "classifier.bias"),
            values_of(from, source, "cls.output.bias"));
}

TEST(GgufHeads, LabelsThatAreNotStatedHaveNumbers) {
  const WithHead made = converted(classifier({}, 3).make());
  ASSERT_TRUE(made.config.head);
  EXPECT_EQ(made.config.head->labels, (std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"}));
}

TEST(GgufHeads, DistilBertsHeadHasItsOwnActivation) {
  const WithHead made =
      converted(without_parts(classifier({"no", "yes"}, 2), "token_types").make());
  EXPECT_EQ(made.config.architecture, &model::kDistilBert);
  ASSERT_TRUE(made.config.head);
  EXPECT_EQ(made.config.head->activation, model::DenseActivation::Relu);
  EXPECT_NE(made.model.find("pre_classifier.weight"), nullptr);
}

TEST(GgufHeads, GoToGgufAndBack) {
  const File from = classifier({"no", "yes"}, 2).make();
  const WithHead made = converted(from);
  auto back = run(made.file, {}, to("gguf"));
  ASSERT_TRUE(back) << describe(back.error());
  const model::Model again = parsed(*back, "gguf");
  EXPECT_EQ(again.metadata.find("bert.pooling_type")->uint(), 4U);
  EXPECT_EQ(again.metadata.find(kLabels)->dump(), R"(["no","yes"])");
  const model::Model source = parsed(from, "gguf");
  for (const char* name : {"cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias"}) {
    EXPECT_EQ(values_of(*back, again, name), values_of(from, source, name)) << name;
  }
  EXPECT_EQ(converted(*back).config.head, made.config.head);
}

TEST(GgufHeads, ALossNeedsToBeAllowed) {
  Options options = to("gguf");
  WithHead made = converted(classifier({"score"}, 1).make());
  Options plain = to("embd");
  plain.metadata.emplace_back("activation_fn", "identity");
  auto identity = run(made.file, {}, plain);
  ASSERT_TRUE(identity) << describe(identity.error());
  auto lost = run(*identity, {}, options);
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().message.find("scores through"), std::string::npos);
}

TEST(GgufHeads, AreRefusedWithoutAllTheirParts) {
  // llama.cpp's converter leaves out the pooler of a BERT.
  const Error pooler = refused_head(
      without_parts(without_parts(classifier({"score"}, 1), "cls.weight"), "cls.bias"));
  EXPECT_EQ(pooler.code, ErrorCode::Unsupported);
  EXPECT_EQ(pooler.path, "cls.output.weight");
  EXPECT_NE(pooler.message.find("cls.weight"), std::string::npos);
  const Error output = refused_head(without_parts(classifier({"score"}, 1), "cls.output"));
  EXPECT_EQ(output.path, "cls.weight");
  EXPECT_NE(output.message.find("cls.output.weight"), std::string::npos);
  const Error none = refused_head(without_parts(classifier({}, 1), "cls"));
  EXPECT_EQ(none.code, ErrorCode::NotFound);
  EXPECT_EQ(none.path, "metadata.bert.pooling_type");
}

TEST(GgufHeads, LabelsMustFit) {
  const Error few = refused_head(classifier({"a", "b"}, 3));
  EXPECT_EQ(few.code, ErrorCode::Mismatch);
  EXPECT_EQ(few.path, std::string("metadata.") + kLabels);
  EXPECT_NE(few.byte_offset, kNoOffset);
  const Error number = refused_head(with(classifier({}, 1), gg::u32(kLabels, 3)));
  EXPECT_EQ(number.code, ErrorCode::BadValue);
  EXPECT_EQ(number.path, few.path);
  const Error many = refused_head(classifier(std::vector<std::string>(65, "x"), 65));
  EXPECT_EQ(many.code, ErrorCode::LimitExceeded);
}

TEST(GgufHeads, WidthsMustFit) {
  gg::GgufMaker maker = classifier({"score"}, 1);
  for (gg::Tensor& tensor : maker.tensors) {
    if (tensor.name == "cls.output.weight") tensor.shape = {1, 64};
  }
  EXPECT_EQ(refused_head(maker).code, ErrorCode::Mismatch);
}

}  // namespace
}  // namespace ambry::convert
