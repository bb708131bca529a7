#include "convert/safetensors/safetensors_plan.h"

#include <gtest/gtest.h>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "convert/safetensors/vocabulary_json.h"
#include "formats/alt/make_alt.h"
#include "formats/amb/make_amb.h"
#include "formats/embd/make_embd.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/pytorch/make_pytorch.h"
#include "formats/tinyruntime/make_tinyruntime.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using tensor::DType;

Options to_safetensors(std::optional<tensor::DType> dtype = std::nullopt) {
  Options options;
  options.to = "safetensors";
  options.dtype = dtype;
  return options;
}

struct WrittenFile {
  model::Model source;
  File file;
  model::Model target;
};

WrittenFile convert(const File& from, const char* format,
                    const Options& options = to_safetensors()) {
  WrittenFile made;
  io::Diagnostics found;
  auto source = formats::find_format(format)->parse(io::MemorySource(from), found, {});
  EXPECT_TRUE(source);
  if (source) made.source = std::move(*source);
  auto file = run(from, {}, options);
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return made;
  made.file = std::move(*file);
  made.target = parsed(made.file, "safetensors");
  return made;
}

void expect_same_bytes(const File& from, const WrittenFile& made) {
  ASSERT_EQ(made.target.tensors.size(), made.source.tensors.size());
  for (const model::TensorEntry& tensor : made.source.tensors) {
    const model::TensorEntry& now = tensor_of(made.target, tensor.name);
    EXPECT_EQ(now.dtype, tensor.dtype) << tensor.name;
    EXPECT_EQ(now.shape, tensor.shape) << tensor.name;
    EXPECT_TRUE(std::ranges::equal(bytes_of(from, tensor), bytes_of(made.file, now)));
    EXPECT_EQ(now.offset % tensor::dtype_size(now.dtype), 0U) << tensor.name;
  }
}

std::string text(const WrittenFile& made, const char* key) {
  const io::Json* value = made.target.metadata.find(key);
  return value == nullptr ? "" : value->string();
}

TEST(ToSafetensors, KeepsPlainTensorsOfEveryFormat) {
  const std::pair<const char*, File> kFiles[] = {
      {"alt", formats::alt::testing::V1Maker().make()},
      {"amb", formats::amb::testing::make_amb()},
      {"embd", formats::embd::testing::make_f0()},
      {"finalfusion", formats::finalfusion::testing::make_bucket()},
      {"finalfusion", formats::finalfusion::testing::make_quantized()},
      {"pytorch", formats::pytorch::testing::make_state_dict()},
      {"tinyruntime", formats::tinyruntime::testing::make(model::CnnVariant::Vanilla)},
      {"tinyruntime", formats::tinyruntime::testing::make(model::CnnVariant::Dq8)},
      {"tinyruntime", formats::tinyruntime::testing::make(model::CnnVariant::Sq8)}};
  for (const auto& [format, file] : kFiles) {
    const WrittenFile made = convert(file, format);
    expect_same_bytes(file, made);
    EXPECT_EQ(text(made, "ambry.format"), format);
    EXPECT_EQ(text(made, "format"), "pt");
    if (made.source.config.is_object()) {
      EXPECT_EQ(text(made, "ambry.config"), made.source.config.dump());
    }
    for (const auto& [key, value] : made.source.metadata.members()) {
      EXPECT_EQ(text(made, key.c_str()), value.is_string() ? value.string() : value.dump());
    }
  }
}

TEST(ToSafetensors, OrdersTheElementsOfViews) {
  const std::vector<float> stored = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Bytes bytes = ambry::bytes_of(std::span<const float>(stored));
  const std::string data(bytes.begin(), bytes.end());
  const File file = formats::pytorch::testing::from_tensors(
                        {{"transposed", "FloatStorage", {3, 4}, data, 0, {1, 3}},
                         {"channels_last", "FloatStorage", {2, 3, 1, 2}, data, 0, {6, 1, 6, 3}}})
                        .make();
  for (const auto& dtype : {std::optional<DType>(), std::optional(DType::F16)}) {
    const WrittenFile made = convert(file, "pytorch", to_safetensors(dtype));
    const auto values = [&](const char* name) {
      const model::TensorEntry& entry = tensor_of(made.target, name);
      std::vector<float> read(12);
      EXPECT_TRUE(tensor::to_f32(entry.dtype, bytes_of(made.file, entry), read));
      return read;
    };
    EXPECT_EQ(values("transposed"), (std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
    EXPECT_EQ(values("channels_last"), (std::vector<float>{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  }
}

TEST(ToSafetensors, ReadsSlicesByTheirStrides) {
  const std::vector<float> stored = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Bytes bytes = ambry::bytes_of(std::span<const float>(stored));
  const std::string data(bytes.begin(), bytes.end());
  const File file = formats::pytorch::testing::from_tensors(
                        {{"columns", "FloatStorage", {4, 2}, data, 1, {3, 1}},
                         {"step", "FloatStorage", {2, 3}, data, 0, {6, 1}},
                         {"expanded", "FloatStorage", {3, 2}, data, 4, {0, 1}},
                         {"one", "FloatStorage", {2, 2}, data, 11, {0, 0}}})
                        .make();
  const WrittenFile made = convert(file, "pytorch");
  const auto values = [&](const char* name) {
    const model::TensorEntry& entry = tensor_of(made.target, name);
    std::vector<float> read(entry.bytes / sizeof(float));
    EXPECT_TRUE(tensor::to_f32(entry.dtype, bytes_of(made.file, entry), read));
    return read;
  };
  EXPECT_EQ(values("columns"), (std::vector<float>{1, 2, 4, 5, 7, 8, 10, 11}));
  EXPECT_EQ(values("step"), (std::vector<float>{0, 1, 2, 6, 7, 8}));
  EXPECT_EQ(values("expanded"), (std::vector<float>{4, 5, 4, 5, 4, 5}));
  EXPECT_EQ(values("one"), (std::vector<float>{11, 11, 11, 11}));
}

TEST(ToSafetensors, WritesTheVocabularyAsJson) {
  const WrittenFile words = convert(formats::finalfusion::testing::make_explicit(), "finalfusion");
  const auto list = io::parse_json(text(words, "ambry.words"));
  ASSERT_TRUE(list);
  EXPECT_EQ(list->find("kind")->string(), "explicit");
  ASSERT_EQ(list->find("words")->items().size(), words.source.words->words.size());
  EXPECT_EQ(list->find("words")->items()[0].string(), words.source.words->words[0]);
  EXPECT_EQ(list->find("ngrams")->items().size(), words.source.words->ngrams.size());
  EXPECT_EQ(list->find("ngram_rows")->items().size(), words.source.words->ngram_rows.size());

  const WrittenFile tokens = convert(formats::amb::testing::make_amb(), "amb");
  const auto tokenizer = io::parse_json(text(tokens, "ambry.tokenizer"));
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(tokenizer->find("kind")->string(), "bpe");
  EXPECT_EQ(tokenizer->find("tokens")->items().size(), 8U);
  EXPECT_EQ(tokenizer->find("merges")->items()[1].items()[0].string(), "ab");
  EXPECT_EQ(tokenizer->find("bos_id")->uint(), 6U);
}

TEST(ToSafetensors, KeepsTheTokenizersOwnFile) {
  formats::amb::testing::AmbMaker maker;
  maker.tokenizer = formats::amb::testing::sentencepiece_tokenizer();
  const WrittenFile made = convert(maker.make(), "amb");
  EXPECT_EQ(text(made, "ambry.tokenizer.model"), base64(as_bytes(made.source.tokenizer->payload)));
  maker.tokenizer = formats::amb::testing::custom_tokenizer();
  const WrittenFile custom = convert(maker.make(), "amb");
  EXPECT_EQ(text(custom, "ambry.tokenizer.json"), custom.source.tokenizer->payload);
}

TEST(ToSafetensors, SaysThatReadersDoNotFindTheChatTemplates) {
  const auto warnings_of = [](const char* tokenizer) {
    formats::amb::testing::AmbMaker maker;
    maker.config = formats::amb::testing::tiny_config(concat({R"(, "tokenizer": )", tokenizer}));
    std::vector<Error> warnings;
    EXPECT_TRUE(run(maker.make(), {}, to_safetensors(), &warnings));
    return warnings;
  };
  EXPECT_TRUE(warnings_of("{}").empty());
  const auto warnings =
      warnings_of(R"({"chat_template":"{{ a }}","chat_templates":{"tool_use":"{{ b }}"}})");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "ambry.config");
  EXPECT_NE(warnings[0].message.find("(default, tool_use)"), std::string::npos)
      << warnings[0].message;
}

TEST(ToSafetensors, DequantizesAmbsTypesToTheRequestedDtype) {
  const File from = formats::amb::testing::make_quantized();
  const auto refused = run(from, {}, to_safetensors());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  const WrittenFile made = convert(from, "amb", to_safetensors(DType::F32));
  for (const model::TensorEntry& tensor : made.source.tensors) {
    EXPECT_EQ(values_of(made.file, made.target, tensor.name), values_of(from, tensor));
  }
  Options lossy = to_safetensors();
  lossy.lossy = true;
  std::vector<Error> warnings;
  ASSERT_TRUE(run(from, {}, lossy, &warnings));
  EXPECT_FALSE(warnings.empty());
}

TEST(ToSafetensors, TransposesTheLinearLayersOfLayoutF1) {
  const File from = formats::embd::testing::make_f1();
  const WrittenFile made = convert(from, "embd");
  const char* name = "encoder.layer.0.intermediate.dense.weight";
  EXPECT_EQ(tensor_of(made.target, name).shape, (tensor::Shape{6, 4}));
  const auto before = values_of(from, made.source, name);
  const auto after = values_of(made.file, made.target, name);
  for (size_t in = 0; in < 4; ++in) {
    for (size_t out = 0; out < 6; ++out) ASSERT_EQ(after[out * 4 + in], before[in * 6 + out]);
  }
  EXPECT_EQ(tensor_of(made.target, "embeddings.word_embeddings.weight").shape,
            (tensor::Shape{8, 4}));
}

TEST(ToSafetensors, KeepsIntegersWhenFloatsAreConverted) {
  const File from = formats::tinyruntime::testing::make(model::CnnVariant::Dq8);
  const WrittenFile made = convert(from, "tinyruntime", to_safetensors(DType::F16));
  for (const model::TensorEntry& tensor : made.source.tensors) {
    const DType now = tensor_of(made.target, tensor.name).dtype;
    EXPECT_EQ(now, is_float(tensor.dtype) ? DType::F16 : tensor.dtype) << tensor.name;
  }
}

TEST(VocabularyJson, EncodesBase64) {
  const std::pair<const char*, const char*> kRows[] = {
      {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
      {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xFF\xFE\xFD", "//79"}};
  for (const auto& [bytes, expected] : kRows) EXPECT_EQ(base64(as_bytes(bytes)), expected);
}

}  // namespace
}  // namespace ambry::convert
