// Converts the tiny encoder's directory with Dense modules after its pooling.
#include "convert/encoder/dense_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/expect_format.h"
#include "formats/pytorch/make_pytorch.h"
#include "model/encoder/encoder_config.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

namespace embd = formats::embd::testing;
namespace pt = formats::pytorch::testing;
namespace st = formats::safetensors::testing;
using model::DenseActivation;
using model::DenseConfig;
using tensor::DType;
using testing::File;

constexpr const char* kFirst = "2_Dense/model.safetensors";
constexpr const char* kSecond = "3_Dense/pytorch_model.bin";

embd::Tensor linear(std::string part, std::vector<uint32_t> shape) {
  return {"linear." + std::move(part), std::move(shape)};
}

File as_pytorch(const std::vector<embd::Tensor>& tensors) {
  std::vector<pt::Tensor> made;
  for (const embd::Tensor& tensor : tensors) {
    made.push_back({tensor.name,
                    "FloatStorage",
                    {tensor.shape.begin(), tensor.shape.end()},
                    embd::data_of(tensor)});
  }
  return pt::from_tensors(made).make();
}

// 4 numbers from the pooling, 3 from the first module, 2 from the second.
struct DenseDirectory {
  std::vector<embd::Tensor> first = {linear("weight", {3, 4}), linear("bias", {3})};
  std::vector<embd::Tensor> second = {linear("weight", {2, 3})};
  SideFiles side = testing::tiny_directory();
  // Weight files after the main one.
  std::vector<std::pair<std::string, File>> others;
  std::string main_name = "model.safetensors";
  File main = testing::tiny_safetensors();

  DenseDirectory() {
    side.add("modules.json", R"([{"path":"","type":"x.Transformer"},
      {"path":"1_Pooling","type":"x.Pooling"},{"path":"2_Dense","type":"x.Dense"},
      {"path":"3_Dense","type":"x.Dense"},{"path":"4_Normalize","type":"x.Normalize"}])");
    side.add("1_Pooling/config.json", R"({"pooling_mode_mean_tokens":true})");
    side.add("2_Dense/config.json", R"({"in_features":4,"out_features":3,"bias":true,
      "activation_function":"torch.nn.modules.activation.Tanh"})");
    side.add("3_Dense/config.json", R"({"in_features":3,"out_features":2,"bias":false,
      "activation_function":"torch.nn.modules.linear.Identity"})");
  }

  // The modules' files, unless `others` are set.
  void fill() {
    if (!others.empty()) return;
    others.emplace_back(kFirst, st::from_tensors(testing::as_safetensors("", first)));
    others.emplace_back(kSecond, as_pytorch(second));
  }

  [[nodiscard]] Result<File> convert(const Options& options = {}) {
    fill();
    std::vector<Bytes> contents = {main};
    for (const auto& [name, content] : others) contents.emplace_back(content);
    const std::vector<io::MemorySource> opened(contents.begin(), contents.end());
    SourceFiles sources(opened.front(), side);
    sources.name_main(main_name);
    for (size_t i = 0; i < others.size(); ++i) sources.add(others[i].first, opened[i + 1]);
    return testing::run(sources, contents, options);
  }
};

Options as(DType dtype) {
  Options options;
  options.dtype = dtype;
  return options;
}

void expect_values(const File& file, const model::Model& model, std::string_view name,
                   const embd::Tensor& original) {
  const model::TensorEntry* tensor = model.find(name);
  ASSERT_NE(tensor, nullptr) << name;
  std::vector<float> values(original.count());
  std::vector<float> expected(values.size());
  const std::string data = embd::data_of(original);
  ASSERT_TRUE(
      tensor::to_f32(tensor->dtype, Bytes(file).subspan(tensor->offset, tensor->bytes), values));
  ASSERT_TRUE(tensor::to_f32(DType::F32, as_bytes(data), expected));
  EXPECT_EQ(values, expected) << name;
}

TEST(DenseWeights, AreWrittenWithTheirActivations) {
  DenseDirectory directory;
  const auto file = directory.convert();
  ASSERT_TRUE(file) << describe(file.error());
  const model::Model model = *testing::sound_model(*file, "embd");
  EXPECT_EQ(model.metadata.find("dense_activations")->string(), R"(["tanh","identity"])");
  EXPECT_EQ(model.metadata.find("embedding_dim")->string(), "2");
  EXPECT_EQ(model.metadata.find("hidden_size")->string(), "4");
  const auto config = model::encoder_config(model);
  ASSERT_TRUE(config);
  const std::vector<DenseConfig> expected = {{4, 3, true, DenseActivation::Tanh},
                                             {3, 2, false, DenseActivation::Identity}};
  EXPECT_EQ(config->dense, expected);
  expect_values(*file, model, "dense.0.weight", directory.first[0]);
  expect_values(*file, model, "dense.0.bias", directory.first[1]);
  expect_values(*file, model, "dense.1.weight", directory.second[0]);
  EXPECT_EQ(model.find("dense.1.bias"), nullptr);
  expect_values(*file, model, "embeddings.word_embeddings.weight", embd::tiny_tensors()[0]);
}

TEST(DenseWeights, StayFloatsInInt8) {
  DenseDirectory directory;
  const auto int8 = directory.convert(as(DType::Int8));
  ASSERT_TRUE(int8) << describe(int8.error());
  const model::Model model = *testing::sound_model(*int8, "embd");
  EXPECT_EQ(model.find("embeddings.word_embeddings.weight")->dtype, DType::I8);
  EXPECT_EQ(model.find("dense.0.weight")->dtype, DType::F32);
  EXPECT_EQ(model.find("dense.0.weight.scale"), nullptr);
  const auto half = directory.convert(as(DType::F16));
  ASSERT_TRUE(half);
  EXPECT_EQ(testing::sound_model(*half, "embd")->find("dense.1.weight")->dtype, DType::F16);
}

TEST(DenseWeights, StayWhenAnEmbdIsConverted) {
  DenseDirectory directory;
  const auto first = directory.convert();
  ASSERT_TRUE(first);
  EXPECT_EQ(*testing::run(*first, {}, {}), *first);
  const auto half = testing::run(*first, {}, as(DType::F16));
  ASSERT_TRUE(half) << describe(half.error());
  const model::Model model = *testing::sound_model(*half, "embd");
  EXPECT_EQ(model.metadata.find("dense_activations")->string(), R"(["tanh","identity"])");
  expect_values(*half, model, "dense.0.weight", directory.first[0]);
}

TEST(DenseWeights, HaveNoPlaceInGguf) {
  const auto embd = DenseDirectory().convert();
  ASSERT_TRUE(embd);
  for (const bool lossy : {false, true}) {
    Options options = testing::to("gguf");
    options.lossy = lossy;
    const auto gguf = testing::run(*embd, {}, options);
    ASSERT_FALSE(gguf);
    EXPECT_EQ(gguf.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(gguf.error().path, "metadata.dense_activations");
    EXPECT_NE(gguf.error().message.find("dense.0.weight"), std::string::npos);
  }
}

// The files of dense modules are no shards of the main model.
TEST(DenseWeights, LieBesideShards) {
  DenseDirectory whole;
  DenseDirectory sharded;
  const auto tensors = testing::as_safetensors("", embd::tiny_tensors());
  std::vector<std::vector<st::Tensor>> shards(2);
  std::string map;
  for (size_t i = 0; i < tensors.size(); ++i) {
    shards[i % 2].push_back(tensors[i]);
    map += (i > 0 ? ",\"" : "\"") + tensors[i].name + "\":\"model-" + std::to_string(i % 2) +
           ".safetensors\"";
  }
  sharded.side.add("model.safetensors.index.json", R"({"weight_map":{)" + map + "}}");
  sharded.main_name = "model-0.safetensors";
  sharded.main = st::from_tensors(shards[0]);
  sharded.fill();
  sharded.others.insert(sharded.others.begin() + 1,
                        {"model-1.safetensors", st::from_tensors(shards[1])});
  const auto file = sharded.convert();
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(*file, *whole.convert());
}

void expect_error(const Result<File>& result, ErrorCode code, std::string_view path) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code) << describe(result.error());
  EXPECT_EQ(result.error().path, path);
}

TEST(DenseWeights, MissingFilesAreNamed) {
  DenseDirectory directory;
  directory.fill();
  directory.others.pop_back();
  const auto file = directory.convert();
  expect_error(file, ErrorCode::NotFound, "3_Dense/model.safetensors");
  EXPECT_NE(file.error().message.find(kSecond), std::string::npos);
}

TEST(DenseWeights, MustHaveTheShapesOfTheirConfiguration) {
  DenseDirectory wide;
  wide.first[0].shape = {4, 4};
  expect_error(wide.convert(), ErrorCode::Mismatch, std::string(kFirst) + ": linear.weight");
  DenseDirectory bias;
  bias.first[1].shape = {4};
  expect_error(bias.convert(), ErrorCode::Mismatch, std::string(kFirst) + ": linear.bias");
  DenseDirectory pytorch;
  pytorch.second[0].shape = {3, 2};
  expect_error(pytorch.convert(), ErrorCode::Mismatch, std::string(kSecond) + ": linear.weight");
}

TEST(DenseWeights, MustBeTheTensorsOfTheirConfiguration) {
  DenseDirectory without;
  without.first.pop_back();
  expect_error(without.convert(), ErrorCode::NotFound, std::string(kFirst) + ": linear.bias");
  DenseDirectory more;
  more.second.push_back(linear("bias", {2}));
  expect_error(more.convert(), ErrorCode::Unsupported, std::string(kSecond) + ": linear.bias");
  DenseDirectory other;
  other.first.push_back({"norm.weight", {3}});
  expect_error(other.convert(), ErrorCode::Unsupported, std::string(kFirst) + ": norm.weight");
}

TEST(DenseWeights, TheFileThatIsNeededOrDamagedIsNamed) {
  DenseDirectory directory;
  directory.fill();
  const io::MemorySource held(directory.main);
  const io::MemorySource second(directory.others[1].second);
  const File& first = directory.others[0].second;
  io::PartialSource missing(first.size());
  SourceFiles sources(held, directory.side);
  sources.name_main("model.safetensors");
  sources.add(kFirst, missing);
  sources.add(kSecond, second);
  const auto begun = Conversion::begin(sources, {});
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(begun.error().need_file, 1U);

  directory.others[0].second.pop_back();
  const auto damaged = directory.convert();
  ASSERT_FALSE(damaged);
  EXPECT_TRUE(damaged.error().path.starts_with("2_Dense/model.safetensors: "))
      << describe(damaged.error());
}

}  // namespace
}  // namespace ambry::convert
