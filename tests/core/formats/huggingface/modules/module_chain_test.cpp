#include "formats/huggingface/modules/module_chain.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambry::formats::huggingface {
namespace {

using model::DenseActivation;
using model::DenseConfig;

std::string modules_of(const std::vector<std::string>& kinds) {
  std::string text = "[";
  for (size_t i = 0; i < kinds.size(); ++i) {
    const std::string path = i == 0 ? "" : std::to_string(i) + "_" + kinds[i];
    if (i > 0) text += ",";
    text += R"({"path":")" + path + R"(","type":"sentence_transformers.models.)" + kinds[i] + "\"}";
  }
  return text + "]";
}

Result<ModuleChain> chain_of(const std::vector<std::string>& kinds) {
  SideFiles files;
  files.add("modules.json", modules_of(kinds));
  return read_module_chain(files);
}

TEST(ModuleChain, TakesDenseBetweenPoolingAndNormalize) {
  const auto whole = chain_of({"Transformer", "Pooling", "Dense", "Dense", "Normalize"});
  ASSERT_TRUE(whole) << describe(whole.error());
  EXPECT_EQ(whole->transformer_folder, "");
  EXPECT_EQ(whole->pooling_file, "1_Pooling/config.json");
  EXPECT_EQ(whole->dense_folders, (std::vector<std::string>{"2_Dense/", "3_Dense/"}));
  EXPECT_EQ(whole->normalize, true);
  const auto without = chain_of({"Transformer", "Pooling", "Dense"});
  ASSERT_TRUE(without);
  EXPECT_EQ(without->normalize, false);
  // A vector of length 1 stays one.
  EXPECT_TRUE(chain_of({"Transformer", "Pooling", "Dense", "Normalize", "Normalize"}));
  // A chain with late interaction.
  const auto late = chain_of({"Transformer", "Dense"});
  ASSERT_TRUE(late);
  EXPECT_TRUE(late->pooling_file.empty());
  EXPECT_EQ(late->dense_folders, std::vector<std::string>{"1_Dense/"});
}

TEST(ModuleChain, RefusesOtherOrdersAndModulesByName) {
  struct Case {
    std::vector<std::string> kinds;
    const char* path;
    const char* named;
  };
  const std::vector<Case> kCases = {
      {{"Transformer", "Dense", "Pooling"}, "modules.json[2].type", "Pooling at this place"},
      {{"Transformer", "Pooling", "Normalize", "Dense"}, "modules.json[3].type", "Dense at this"},
      {{"Transformer", "Normalize", "Pooling"}, "modules.json[1].type", "Normalize at this"},
      {{"Transformer", "Pooling", "Dense", "Pooling"}, "modules.json[3].type", "Pooling at this"},
      {{"Transformer", "Transformer"}, "modules.json[1].type", "Transformer at this"},
      {{"Dense"}, "modules.json[0].type", "Dense at this"},
      {{"Transformer", "Pooling", "LayerNorm"}, "modules.json[2].type", "LayerNorm is not"},
      {{"Transformer", "Pooling", "Dense", "Dropout"}, "modules.json[3].type", "Dropout is not"},
  };
  for (const Case& each : kCases) {
    const auto chain = chain_of(each.kinds);
    ASSERT_FALSE(chain) << modules_of(each.kinds);
    EXPECT_EQ(chain.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(chain.error().path, each.path);
    EXPECT_NE(chain.error().message.find(each.named), std::string::npos) << chain.error().message;
  }
}

TEST(ModuleChain, RefusesADenseModuleWithoutAFolder) {
  SideFiles files;
  files.add("modules.json",
            R"([{"path":"","type":"x.Transformer"},{"path":"1_Pooling","type":"x.Pooling"},
                {"path":"","type":"x.Dense"}])");
  const auto chain = read_module_chain(files);
  ASSERT_FALSE(chain);
  EXPECT_EQ(chain.error().code, ErrorCode::BadValue);
  EXPECT_EQ(chain.error().path, "modules.json[2].path");
}

constexpr const char* kTanh = "torch.nn.modules.activation.Tanh";

std::string dense_json(uint32_t in, uint32_t out, const std::string& rest) {
  return R"({"in_features":)" + std::to_string(in) + R"(,"out_features":)" + std::to_string(out) +
         rest + "}";
}

std::string activated(const std::string& name) {
  return R"(,"activation_function":")" + name + "\"";
}

// The Dense modules whose files these are, after a pooling of 8 numbers.
Result<std::vector<DenseConfig>> read_dense(const std::vector<std::string>& configs) {
  ModuleChain chain;
  SideFiles files;
  chain.pooling_file = "1_Pooling/config.json";
  for (size_t i = 0; i < configs.size(); ++i) {
    chain.dense_folders.push_back(std::to_string(i + 2) + "_Dense/");
    if (!configs[i].empty()) files.add(chain.dense_folders.back() + "config.json", configs[i]);
  }
  return read_dense_modules(files, chain, 8);
}

TEST(DenseModules, AreReadOneAfterAnother) {
  const auto modules = read_dense(
      {dense_json(8, 6, R"(,"bias":false)" + activated("torch.nn.modules.linear.Identity")),
       dense_json(6, 3, activated(kTanh))});
  ASSERT_TRUE(modules) << describe(modules.error());
  const std::vector<DenseConfig> expected = {{8, 6, false, DenseActivation::Identity},
                                             {6, 3, true, DenseActivation::Tanh}};
  EXPECT_EQ(*modules, expected);
}

TEST(DenseModules, KnowEveryActivation) {
  const std::pair<const char*, DenseActivation> kKnown[] = {
      {"torch.nn.modules.linear.Identity", DenseActivation::Identity},
      {"torch.nn.modules.activation.Tanh", DenseActivation::Tanh},
      {"torch.nn.modules.activation.ReLU", DenseActivation::Relu},
      {"torch.nn.modules.activation.GELU", DenseActivation::Gelu},
      {"torch.nn.modules.activation.Sigmoid", DenseActivation::Sigmoid},
      {"torch.nn.Tanh", DenseActivation::Tanh}};
  for (const auto& [name, activation] : kKnown) {
    const auto modules = read_dense({dense_json(8, 2, activated(name))});
    ASSERT_TRUE(modules) << name;
    EXPECT_EQ(modules->front().activation, activation);
  }
}

TEST(DenseModules, TakeTheNamesOfTheSentenceVector) {
  const std::string places =
      R"(,"module_input_name":"sentence_embedding","module_output_name":null)";
  EXPECT_TRUE(read_dense({dense_json(8, 2, activated(kTanh) + places)}));
}

TEST(DenseModules, RefuseOtherSettingsByName) {
  const std::string tanh = activated(kTanh);
  struct Case {
    std::string config;
    ErrorCode code;
    const char* key;
  };
  const std::vector<Case> kCases = {
      {dense_json(8, 2, ""), ErrorCode::NotFound, "activation_function"},
      {dense_json(8, 2, R"(,"activation_function":null)"), ErrorCode::NotFound,
       "activation_function"},
      {dense_json(8, 2, R"(,"activation_function":3)"), ErrorCode::BadValue, "activation_function"},
      {dense_json(8, 2, activated("torch.nn.modules.activation.Softplus")), ErrorCode::Unsupported,
       "activation_function"},
      {dense_json(8, 2, activated("my.own.Tanh")), ErrorCode::Unsupported, "activation_function"},
      {dense_json(8, 2, tanh + R"(,"dropout":0.1)"), ErrorCode::Unsupported, "dropout"},
      {dense_json(8, 2, tanh + R"(,"module_input_name":"token_embeddings")"),
       ErrorCode::Unsupported, "module_input_name"},
      {dense_json(8, 2, tanh + R"(,"module_output_name":"other")"), ErrorCode::Unsupported,
       "module_output_name"},
      {dense_json(8, 2, tanh + R"(,"bias":"maybe")"), ErrorCode::BadValue, "bias"},
      {dense_json(8, 0, tanh), ErrorCode::BadValue, "out_features"},
      {R"({"in_features":8)" + tanh + "}", ErrorCode::NotFound, "out_features"},
      {R"({"out_features":8)" + tanh + "}", ErrorCode::NotFound, "in_features"},
      {dense_json(7, 2, tanh), ErrorCode::Mismatch, "in_features"},
  };
  for (const Case& each : kCases) {
    const auto modules = read_dense({each.config});
    ASSERT_FALSE(modules) << each.config;
    EXPECT_EQ(modules.error().code, each.code) << each.config;
    EXPECT_EQ(modules.error().path, std::string("2_Dense/config.json.") + each.key);
  }
}

TEST(DenseModules, RefuseAModuleThatDoesNotFollow) {
  const std::string tanh = activated(kTanh);
  const auto modules = read_dense({dense_json(8, 6, tanh), dense_json(8, 3, tanh)});
  ASSERT_FALSE(modules);
  EXPECT_EQ(modules.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(modules.error().path, "3_Dense/config.json.in_features");
  EXPECT_NE(modules.error().message.find("8, but the module before gives 6"), std::string::npos);
}

TEST(DenseModules, NameAMissingFile) {
  const auto modules = read_dense({""});
  ASSERT_FALSE(modules);
  EXPECT_EQ(modules.error().code, ErrorCode::NotFound);
  EXPECT_EQ(modules.error().path, "2_Dense/config.json");
  EXPECT_EQ(read_dense({"[]"}).error().code, ErrorCode::BadValue);
}

}  // namespace
}  // namespace ambry::formats::huggingface
