// Converts directories of sparse encoders.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/expect_format.h"
#include "formats/pytorch/make_pytorch.h"
#include "model/encoder/encoder_config.h"
#include "model/encoder/token_head.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert::sparse_encoders {
namespace {

namespace embd = formats::embd::testing;
namespace pt = formats::pytorch::testing;
namespace st = formats::safetensors::testing;
using model::HeadTask;
using model::SparseSettings;
using testing::File;

using Tensors = std::vector<embd::Tensor>;

constexpr const char* kChain = R"([{"path":"","type":"x.MLMTransformer"},
  {"path":"1_SpladePooling","type":"x.SpladePooling"}])";
constexpr const char* kRouted = R"([{"path":"","type":"x.Router"}])";
constexpr const char* kRouter = R"({"types":{"query_0":"x.SparseStaticEmbedding",
  "":"x.MLMTransformer","document_1":"x.SpladePooling"},
  "structure":{"query":["query_0"],"document":["","document_1"]},
  "parameters":{"default_route":"document"}})";
constexpr const char* kMasked = R"(,"architectures":["BertForMaskedLM"])";

Tensors masked_tensors() {
  Tensors tensors = embd::tiny_tensors();
  for (embd::Tensor& tensor : tensors) tensor.name.insert(0, "bert.");
  for (const embd::Tensor& more : Tensors{{"cls.predictions.transform.dense.weight", {4, 4}},
                                          {"cls.predictions.transform.dense.bias", {4}},
                                          {"cls.predictions.transform.LayerNorm.weight", {4}},
                                          {"cls.predictions.transform.LayerNorm.bias", {4}},
                                          {"cls.predictions.bias", {8}}}) {
    tensors.push_back(more);
  }
  return tensors;
}

std::string config_json(const std::string& more) {
  return R"({"model_type":"bert","vocab_size":8,"hidden_size":4,"num_hidden_layers":1,
    "num_attention_heads":2,"intermediate_size":6,"max_position_embeddings":6)" +
         more + "}";
}

std::string vocabulary() { return "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n\xC3\xA9\n"; }

struct Folder {
  std::string head;  // that is asked for
  SideFiles side;
  Tensors tensors = masked_tensors();
  std::vector<std::pair<std::string, File>> others;  // weight files after the main one

  explicit Folder(const std::string& more = kMasked) {
    side.add("config.json", config_json(more));
    side.add("vocab.txt", vocabulary());
  }

  [[nodiscard]] Result<File> convert() const {
    const File main = testing::tiny_safetensors("", tensors);
    std::vector<Bytes> contents = {main};
    for (const auto& [name, content] : others) contents.emplace_back(content);
    const std::vector<io::MemorySource> opened(contents.begin(), contents.end());
    SourceFiles sources(opened.front(), side);
    sources.name_main("model.safetensors");
    for (size_t i = 0; i < others.size(); ++i) sources.add(others[i].first, opened[i + 1]);
    Options options;
    options.head = head;
    return testing::run(sources, contents, options);
  }
  [[nodiscard]] Error error() const {
    auto made = convert();
    return made ? Error() : Error(made.take_error());
  }
};

Folder splade(const std::string& pooling = "{}") {
  Folder folder;
  folder.side.add("modules.json", kChain);
  folder.side.add("1_SpladePooling/config.json", pooling);
  return folder;
}

Folder routed(const std::string& router = kRouter) {
  Folder folder;
  folder.side.add("modules.json", kRouted);
  folder.side.add("router_config.json", router);
  folder.side.add("document_1/config.json", R"({"activation_function":"log1p_relu"})");
  folder.others.emplace_back("query_0/model.safetensors",
                             testing::tiny_safetensors("", {{"weight", {7}}}));
  return folder;
}

// BGE-M3: a dense encoder with the file of another head.
Folder own_words() {
  Folder folder("");
  folder.tensors = embd::tiny_tensors();
  folder.side.add(
      "modules.json",
      R"([{"path":"","type":"x.Transformer"},{"path":"1_Pooling","type":"x.Pooling"}])");
  folder.side.add("1_Pooling/config.json", R"({"pooling_mode_cls_token":true})");
  return folder;
}

File sparse_linear(const Tensors& tensors) {
  std::vector<pt::Tensor> made;
  for (const embd::Tensor& tensor : tensors) {
    made.push_back({tensor.name,
                    "FloatStorage",
                    {tensor.shape.begin(), tensor.shape.end()},
                    embd::data_of(tensor)});
  }
  return pt::from_tensors(made).make();
}

const Tensors kOwnWords = {{"weight", {1, 4}}, {"bias", {1}}};

struct Read {
  model::Model model;
  model::EncoderConfig config;
};
Read read(const Result<File>& file) {
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return {};
  Read made;
  made.model = *testing::sound_model(*file, "embd");
  auto config = model::encoder_config(made.model);
  EXPECT_TRUE(config) << describe(config.error());
  made.config = std::move(*config);
  return made;
}

const SparseSettings& settings_of(const Read& made) { return made.config.head->sparse; }

TEST(SparseConversion, TakesTheModulesOfSentenceTransformers) {
  const Read usual = read(splade().convert());
  ASSERT_NE(usual.config.token_head(), nullptr);
  EXPECT_EQ(usual.config.head->task, HeadTask::Sparse);
  EXPECT_TRUE(usual.config.head->tied);
  EXPECT_EQ(settings_of(usual), (SparseSettings{false, false, 1, 0}));
  const Read other =
      read(splade(R"({"pooling_strategy":"sum","activation_function":"log1p_relu"})").convert());
  EXPECT_EQ(settings_of(other), (SparseSettings{false, true, 2, 0}));
}

TEST(SparseConversion, ADirectoryWithoutModulesIsAskedForIt) {
  Folder folder;
  EXPECT_EQ(read(folder.convert()).config.token_head(), nullptr);
  folder.head = "sparseEncoder";
  EXPECT_EQ(settings_of(read(folder.convert())), (SparseSettings{false, false, 1, 0}));
  folder.side.add("idf.json", R"({"a":0.5,"[UNK]":3,"##b":-0})");
  const auto file = folder.convert();
  const Read made = read(file);
  EXPECT_EQ(settings_of(made), (SparseSettings{false, false, 1, 7}));
  const model::TensorEntry& weights = *made.model.find(std::string(model::kQueryWeights));
  std::vector<float> values(7);
  ASSERT_TRUE(
      tensor::to_f32(weights.dtype, Bytes(*file).subspan(weights.offset, weights.bytes), values));
  EXPECT_EQ(values, (std::vector<float>{0, 3, 0, 0, 0, 0.5F, 0}));
}

TEST(SparseConversion, TakesTheRoutesOfQueriesAndDocuments) {
  const auto file = routed().convert();
  const Read made = read(file);
  ASSERT_NE(made.config.token_head(), nullptr);
  EXPECT_EQ(settings_of(made), (SparseSettings{false, false, 2, 7}));
  EXPECT_NE(made.model.find(std::string(model::kQueryWeights)), nullptr);
  const auto again = testing::run(*file, {}, testing::to("embd"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *file);
}

TEST(SparseConversion, QueriesMayBeRunAsDocumentsAre) {
  const Read made = read(routed(R"({"types":{"":"x.MLMTransformer","document_1":"x.SpladePooling"},
    "structure":{"query":["","document_1"],"document":["","document_1"]}})")
                             .convert());
  EXPECT_EQ(settings_of(made), (SparseSettings{false, false, 2, 0}));
}

TEST(SparseConversion, TheWeightsOfQueriesMayBeAFileOfJson) {
  Folder folder = routed();
  folder.side.add("query_0/config.json", R"({"path":"author/model/idf.json","frozen":true})");
  folder.others.clear();
  EXPECT_EQ(folder.error().path, "query_0/config.json.path");
  folder.side.add("idf.json", R"({"a":1})");
  EXPECT_EQ(settings_of(read(folder.convert())).n_query_weights, 6U);
}

TEST(SparseConversion, TheTokenizerOfQueriesIsThatOfDocuments) {
  Folder folder = routed();
  folder.side.add("query_0/vocab.txt", vocabulary());
  EXPECT_EQ(settings_of(read(folder.convert())).n_query_weights, 7U);
  folder.side.add("query_0/vocab.txt", vocabulary() + "more\n");
  const Error other = folder.error();
  EXPECT_EQ(other.code, ErrorCode::Mismatch);
  EXPECT_EQ(other.path, "query_0/vocab.txt");
  EXPECT_NE(other.message.find("vocabulary"), std::string::npos);
  // With equal words, the case of letters counts.
  folder.side.add("query_0/vocab.txt", vocabulary());
  folder.side.add("query_0/tokenizer_config.json", R"({"do_lower_case":false})");
  const Error cased = folder.error();
  EXPECT_EQ(cased.code, ErrorCode::Mismatch);
  EXPECT_EQ(cased.path, "query_0/vocab.txt");
  EXPECT_NE(cased.message.find("another way"), std::string::npos);
  folder.side.add("tokenizer_config.json", R"({"do_lower_case":false,"model_max_length":8})");
  EXPECT_EQ(settings_of(read(folder.convert())).n_query_weights, 7U);
}

TEST(SparseConversion, TheModelMayLieInTheFolderOfARoute) {
  Folder folder = routed(R"({"types":{"query_0":"x.SparseStaticEmbedding",
    "document_0":"x.MLMTransformer","document_1":"x.SpladePooling"},
    "structure":{"query":["query_0"],"document":["document_0","document_1"]}})");
  SideFiles side;
  side.add("modules.json", kRouted);
  side.add("router_config.json", *folder.side.find("router_config.json"));
  side.add("document_1/config.json", "{}");
  side.add("document_0/config.json", config_json(kMasked));
  side.add("document_0/vocab.txt", vocabulary());
  folder.side = side;
  EXPECT_EQ(settings_of(read(folder.convert())), (SparseSettings{false, false, 1, 7}));
}

TEST(SparseConversion, TakesTheHeadThatWeighsTokensIfItIsAskedFor) {
  Folder folder = own_words();
  folder.others.emplace_back("sparse_linear.pt", sparse_linear(kOwnWords));
  const Read dense = read(folder.convert());
  EXPECT_EQ(dense.config.token_head(), nullptr);
  EXPECT_EQ(dense.config.pooling, "cls");
  folder.head = "sparseEncoder";
  const Read sparse = read(folder.convert());
  EXPECT_EQ(settings_of(sparse), (SparseSettings{true, false, 0, 0}));
  EXPECT_TRUE(sparse.config.head->classifier_bias);
  EXPECT_EQ(sparse.model.find("token_head.classifier.weight")->shape, (tensor::Shape{1, 4}));
}

const Tensors kTokenVectors = {{"weight", {4, 4}}, {"bias", {4}}};

// BGE-M3 with both of its heads for tokens.
Folder all_outputs(const Tensors& token_vectors = kTokenVectors) {
  Folder folder = own_words();
  folder.others.emplace_back("sparse_linear.pt", sparse_linear(kOwnWords));
  folder.others.emplace_back("colbert_linear.pt", sparse_linear(token_vectors));
  return folder;
}

TEST(SparseConversion, TakesBothHeadsForTokensBesideTheVectorsOfTexts) {
  const auto file = all_outputs().convert();
  const Read made = read(file);
  EXPECT_TRUE(made.config.gives_all());
  EXPECT_EQ(settings_of(made), (SparseSettings{true, false, 0, 0}));
  EXPECT_EQ(made.config.pooling, "cls");
  EXPECT_EQ(made.config.late->document_length, 6U);
  EXPECT_EQ(made.config.embedding_size(), 4U);
  EXPECT_EQ(made.model.find("dense.0.weight")->shape, (tensor::Shape{4, 4}));
  const auto again = testing::run(*file, {}, testing::to("embd"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *file);
  Options int8 = testing::to("embd");
  int8.dtype = tensor::DType::Int8;
  const Read small = read(testing::run(*file, {}, int8));
  EXPECT_TRUE(small.config.gives_all());
  EXPECT_EQ(small.model.find("dense.0.weight")->dtype, tensor::DType::F32);
}

TEST(SparseConversion, TakesOneHeadForTokensOnlyIfItIsAskedFor) {
  Folder folder = all_outputs();
  folder.head = "sparseEncoder";
  folder.others.pop_back();
  EXPECT_FALSE(read(folder.convert()).config.late);
  Folder vectors_only = all_outputs();
  vectors_only.others.erase(vectors_only.others.begin());
  const Read dense = read(vectors_only.convert());
  EXPECT_FALSE(dense.config.late);
  EXPECT_EQ(dense.model.find("dense.0.weight"), nullptr);
}

TEST(SparseConversion, RefusesALayerForTokensThatDoesNotFit) {
  const Error narrow = all_outputs({{"weight", {3, 4}}, {"bias", {3}}}).error();
  EXPECT_EQ(narrow.code, ErrorCode::Mismatch);
  EXPECT_EQ(narrow.path, "colbert_linear.pt: weight");
  const Error no_bias = all_outputs({{"weight", {4, 4}}}).error();
  EXPECT_EQ(no_bias.code, ErrorCode::NotFound);
  EXPECT_EQ(no_bias.path, "colbert_linear.pt: bias");
}

TEST(SparseConversion, GgufHasNoPlaceForHeadsOfTokens) {
  const auto file = all_outputs().convert();
  ASSERT_TRUE(file) << describe(file.error());
  const auto gguf = testing::run(*file, {}, testing::to("gguf"));
  ASSERT_FALSE(gguf);
  EXPECT_EQ(gguf.error().code, ErrorCode::Unsupported);
}

TEST(SparseConversion, RefusesFilesOfTokenWeightsThatDoNotFit) {
  Folder none = own_words();
  none.head = "sparseEncoder";
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  EXPECT_EQ(none.error().path, "options.head");
  EXPECT_NE(none.error().message.find("sparse_linear.pt"), std::string::npos);
  for (const auto& [tensors, code, path] : std::vector<std::tuple<Tensors, ErrorCode, const char*>>{
           {{{"weight", {1, 5}}, {"bias", {1}}}, ErrorCode::Mismatch, "sparse_linear.pt: weight"},
           {{{"weight", {1, 4}}}, ErrorCode::NotFound, "sparse_linear.pt: bias"},
           {{{"weight", {1, 4}}, {"bias", {1}}, {"scale", {1}}},
            ErrorCode::Unsupported,
            "sparse_linear.pt: scale"}}) {
    Folder folder = own_words();
    folder.head = "sparseEncoder";
    folder.others.emplace_back("sparse_linear.pt", sparse_linear(tensors));
    const Error error = folder.error();
    EXPECT_EQ(error.code, code) << path;
    EXPECT_EQ(error.path, path);
  }
}

TEST(SparseConversion, RefusesWeightsOfQueriesThatDoNotFit) {
  for (const auto& [json, path] :
       std::vector<std::pair<const char*, const char*>>{{R"({"a":1,"zebra":2})", "idf.json.zebra"},
                                                        {R"({"a":"1"})", "idf.json.a"},
                                                        {R"({"a":1e99})", "idf.json.a"},
                                                        {R"([1])", "idf.json"},
                                                        {"{}", "idf.json"},
                                                        {"{", "idf.json"}}) {
    Folder folder;
    folder.head = "sparseEncoder";
    folder.side.add("idf.json", json);
    const Error error = folder.error();
    EXPECT_EQ(error.path, path) << error.message;
  }
  Folder missing = routed();
  missing.others.clear();
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_EQ(missing.error().path, "query_0/model.safetensors");
  Folder matrix = routed();
  matrix.others.back().second = testing::tiny_safetensors("", {{"weight", {7, 1}}});
  EXPECT_EQ(matrix.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(matrix.error().path, "query_0/model.safetensors: weight");
  Folder longer = routed();
  longer.others.back().second = testing::tiny_safetensors("", {{"weight", {9}}});
  EXPECT_EQ(longer.error().code, ErrorCode::Mismatch);
}

TEST(SparseConversion, RefusesOtherModulesByName) {
  const auto error_of = [](const char* modules) {
    Folder folder = splade();
    folder.side.add("modules.json", modules);
    return folder.error();
  };
  const auto error_of_router = [](const char* router) { return routed(router).error(); };
  for (const Error& error : {
           error_of(R"([{"path":"","type":"x.MLMTransformer"}])"),
           error_of(R"([{"path":"","type":"x.MLMTransformer"},{"path":"1","type":"x.Pooling"}])"),
           error_of(R"([{"path":"","type":"x.MLMTransformer"},
             {"path":"1_SpladePooling","type":"x.SpladePooling"},
             {"path":"2","type":"x.Normalize"}])"),
           error_of(R"([{"path":"","type":"x.Transformer"},{"path":"1","type":"x.Pooling"},
             {"path":"2","type":"x.SparseAutoEncoder"}])"),
           error_of(R"([{"path":"","type":"x.SparseStaticEmbedding"}])"),
           error_of_router(R"({"types":{"a":"x.SparseStaticEmbedding"},
             "structure":{"query":["a"]}})"),
           error_of_router(R"({"types":{"a":"x.SparseStaticEmbedding","":"x.MLMTransformer",
             "p":"x.SpladePooling"},"structure":{"query":["a","p"],"document":["","p"]}})"),
           error_of_router(R"({"types":{"a":"x.SparseStaticEmbedding"},
             "structure":{"query":["a"],"document":["a"],"title":["a"]}})"),
           // A router of dense models.
           error_of_router(R"({"types":{"a":"x.Transformer"},"structure":{"query":["a"]}})"),
       }) {
    EXPECT_EQ(error.code, ErrorCode::Unsupported) << error.path << error.message;
  }
  const Error pooling = splade(R"({"pooling_strategy":"mean"})").error();
  EXPECT_EQ(pooling.code, ErrorCode::Unsupported);
  EXPECT_EQ(pooling.path, "1_SpladePooling/config.json.pooling_strategy");
  EXPECT_EQ(splade(R"({"activation_function":"gelu"})").error().path,
            "1_SpladePooling/config.json.activation_function");
  Folder no_pooling;
  no_pooling.side.add("modules.json", kChain);
  EXPECT_EQ(no_pooling.error().path, "1_SpladePooling/config.json");
  Folder no_head = splade();
  no_head.tensors = embd::tiny_tensors();
  EXPECT_EQ(no_head.error().path, "cls.predictions.transform.dense.weight");
}

}  // namespace
}  // namespace ambry::convert::sparse_encoders
