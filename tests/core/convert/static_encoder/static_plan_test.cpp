// Converts directories of static encoders to EMBD and loads what was written.
#include "convert/static_encoder/static_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "api/static_encoder/load_static.h"
#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/embd/make_static.h"
#include "formats/expect_format.h"
#include "formats/safetensors/make_safetensors.h"
#include "io/json/json.h"
#include "model/static_encoder/static_config.h"

namespace ambry::convert {
namespace {

using api::testing::embed;
using api::testing::load_static;
using formats::embd::testing::bytes_of;
using formats::safetensors::testing::from_tensors;
using formats::safetensors::testing::Tensor;
using tensor::DType;
using testing::File;

constexpr const char* kTokenizer = R"({"added_tokens":[],"normalizer":{"type":"BertNormalizer",
  "lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,
  "model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[PAD]":0,"[UNK]":1,"a":2,"cat":3,
  "##s":4}}})";
constexpr const char* kStatic = R"([{"path":"","type":"x.StaticEmbedding"}])";

constexpr const char* kUnigram = R"({"added_tokens":[],"normalizer":{"type":"Lowercase"},
  "pre_tokenizer":{"type":"Metaspace","replacement":"\u2581","prepend_scheme":"always"},
  "post_processor":{"type":"RobertaProcessing","sep":["s",4],"cls":["<unk>",0]},
  "decoder":{"type":"Metaspace","replacement":"\u2581","prepend_scheme":"always"},
  "model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["\u2581",-3],["\u2581a",-1],
  ["\u2581cat",-1.5],["s",-2]]}})";
constexpr const char* kBpe = R"({"added_tokens":[],"normalizer":null,
  "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},"post_processor":null,
  "decoder":{"type":"ByteLevel"},
  "model":{"type":"BPE","vocab":{"a":0,"c":1,"t":2,"ca":3,"cat":4},
  "merges":["c a","ca t"]}})";

const std::vector<float> kRows = {0, 0, 5, 5, 1, 2, 3, -4, 0.5F, 8};

// Five tokens of two values, as Model2Vec stores them.
struct StaticSource {
  SideFiles side;
  std::vector<Tensor> tensors = {{"embeddings", "F32", {5, 2}, bytes_of(kRows)}};

  StaticSource() {
    side.add("config.json", R"({"model_type":"model2vec","normalize":false,
      "tokenizer_name":"/home/me/tiny"})");
    side.add("tokenizer.json", kTokenizer);
  }
  [[nodiscard]] Result<File> convert(const Options& options = {}) const {
    return testing::run(from_tensors(tensors), side, options);
  }
};

std::vector<float> vector_of(const Result<File>& file, const std::string& text) {
  if (!file) {
    ADD_FAILURE() << describe(file.error());
    return {};
  }
  const auto session = load_static(*file);
  if (!session) {
    ADD_FAILURE() << describe(session.error());
    return {};
  }
  return *embed(*session, {text});
}

using Floats = std::vector<float>;

TEST(StaticPlan, ConvertsModel2Vec) {
  const auto file = StaticSource().convert();
  EXPECT_EQ(vector_of(file, "a cats"), (Floats{4.5F / 3, 6.0F / 3}));
  EXPECT_EQ(vector_of(file, "unknowable"), (Floats{0, 0}));
  const auto model = testing::sound_model(*file, "embd");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->metadata.members().front().first, "architecture");
  EXPECT_EQ(model->metadata.find("model_name")->string(), "tiny");
  const auto config = model::static_config(*model);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->max_seq_length, 512U);
  EXPECT_EQ(config->median_token_length, 3U);
  EXPECT_EQ(*StaticSource().convert(), *file) << "equal input gives equal bytes";
  EXPECT_EQ(*testing::run(*file, {}, {}), *file) << "a rewrite changes nothing";
}

// Without Model2Vec's configuration the rules of sentence-transformers hold.
TEST(StaticPlan, ConvertsStaticEmbedding) {
  StaticSource source;
  source.side = {};
  source.side.add("modules.json", R"([{"path":"0_StaticEmbedding","type":"x.StaticEmbedding"},
    {"path":"1_Normalize","type":"x.Normalize"}])");
  source.side.add("0_StaticEmbedding/tokenizer.json", kTokenizer);
  source.side.add("config_sentence_transformers.json", R"({"prompts":{"query":"cat "}})");
  source.tensors[0].name = "embedding.weight";
  const auto file = source.convert();
  const auto vector = vector_of(file, "unknowable a");
  ASSERT_EQ(vector.size(), 2U);
  EXPECT_NEAR(vector[0], 6 / std::hypot(6, 7), 1e-6);
  EXPECT_NEAR(vector[1], 7 / std::hypot(6, 7), 1e-6);
  const auto session = load_static(*file);
  EXPECT_EQ(*embed(*session, {"a"}, R"({"prompt":"query"})"), *embed(*session, {"cat a"}));
}

// The kind of tokenizer is among the first keys, and no special tokens stand around the text.
void expect_kind(const File& file, std::string_view kind) {
  const auto model = formats::testing::sound_model(file, "embd");
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->metadata.members()[1].first, "tokenizer_kind");
  EXPECT_EQ(model->metadata.members()[1].second.string(), kind);
}

// The library asks Unigram for no unknown token, so its row counts.
TEST(StaticPlan, ConvertsModel2VecWithUnigram) {
  StaticSource source;
  source.side.add("tokenizer.json", kUnigram);
  const auto file = source.convert();
  EXPECT_EQ(vector_of(file, "A cats"), (Floats{(1 + 3 + 0.5F) / 3, (2 - 4 + 8.0F) / 3}));
  EXPECT_EQ(vector_of(file, "a!"), (Floats{0.5F, 1}));
  ASSERT_NO_FATAL_FAILURE(expect_kind(*file, "unigram"));
  EXPECT_EQ(*testing::run(*file, {}, {}), *file) << "a rewrite changes nothing";
}

TEST(StaticPlan, ConvertsStaticEmbeddingWithBpe) {
  StaticSource source;
  source.side = {};
  source.side.add("modules.json", kStatic);
  source.side.add("tokenizer.json", kBpe);
  source.tensors[0].name = "embedding.weight";
  const auto file = source.convert();
  EXPECT_EQ(vector_of(file, "cata"), (Floats{0.25F, 4}));
  ASSERT_NO_FATAL_FAILURE(expect_kind(*file, "bpe"));
}

TEST(StaticPlan, OtherTokenizersMayHaveFewerTokensThanRows) {
  StaticSource source;
  source.side.add("tokenizer.json", kBpe);
  source.tensors = {{"embeddings", "F32", {4, 2}, std::string(32, '\0')}};
  const auto fewer = source.convert();
  ASSERT_FALSE(fewer);
  EXPECT_EQ(fewer.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(fewer.error().path, "embeddings.word_embeddings.weight");
  source.tensors = {{"embeddings", "F32", {6, 2}, std::string(48, '\0')}};
  EXPECT_EQ(vector_of(source.convert(), "cat"), (Floats{0, 0}));
}

TEST(StaticPlan, CutsTokensWhereTheTokenizerDoes) {
  StaticSource source;
  std::string tokenizer = kTokenizer;
  tokenizer.insert(1, R"("truncation":{"max_length":2,"direction":"Right"},)");
  source.side.add("tokenizer.json", tokenizer);
  // The unknown word counts, and is left out afterwards.
  EXPECT_EQ(vector_of(source.convert(), "unknowable a cat"), (Floats{1, 2}));
}

TEST(StaticPlan, KeepsWeightsAndMapping) {
  StaticSource source;
  source.tensors = {{"weights", "F64", {5}, bytes_of<double>({1, 1, 2, 0.5, 1})},
                    {"embeddings", "F32", {2, 2}, bytes_of<float>({1, 2, 3, 4})},
                    {"mapping", "I32", {5}, bytes_of<int32_t>({0, 0, 1, 0, 1})}};
  const auto file = source.convert();
  EXPECT_EQ(vector_of(file, "a cat"), (Floats{6.5F / 2, 9.0F / 2}));
  const auto half = testing::run(*file, {}, testing::to("embd", DType::F16));
  EXPECT_EQ(vector_of(half, "a cat"), (Floats{6.5F / 2, 9.0F / 2}));
  const auto int8 = vector_of(testing::run(*file, {}, testing::to("embd", DType::Int8)), "a cat");
  ASSERT_EQ(int8.size(), 2U);
  EXPECT_NEAR(int8[0], 3.25, 0.03);
  EXPECT_NEAR(int8[1], 4.5, 0.03);
}

TEST(StaticPlan, ConvertsTypes) {
  const StaticSource source;
  EXPECT_EQ(vector_of(source.convert(testing::to("embd", DType::F16)), "cat"), (Floats{3, -4}));
  const auto int8 = source.convert(testing::to("embd", DType::Int8));
  const auto vector = vector_of(int8, "cat");
  ASSERT_EQ(vector.size(), 2U);
  EXPECT_NEAR(vector[0], 3, 4.0 / 254);
  EXPECT_NEAR(vector[1], -4, 4.0 / 254);
  const auto back = testing::run(*int8, {}, testing::to("embd", DType::F32));
  EXPECT_EQ(vector_of(back, "cat"), vector);
}

// Model2Vec's int8 has no scale: its integers are the values.
TEST(StaticPlan, TakesIntegersAsTheyAre) {
  StaticSource source;
  source.tensors = {
      {"embeddings", "I8", {5, 2}, bytes_of<int8_t>({0, 0, 1, 1, 2, 3, -127, 4, 5, 6})}};
  const auto file = source.convert();
  EXPECT_EQ(vector_of(file, "cat"), (Floats{-127, 4}));
  EXPECT_EQ(vector_of(testing::run(*file, {}, testing::to("embd", DType::F16)), "cat"),
            (Floats{-127, 4}));
}

struct Fault {
  const char* name;
  void (*change)(StaticSource& source);
  ErrorCode code;
  const char* path;
};

TEST(StaticPlan, RefusesWhatItCannotConvert) {
  const Fault kFaults[] = {
      {"a tokenizer of whole words",
       [](StaticSource& source) {
         source.side.add("tokenizer.json", R"({"model":{"type":"WordLevel","vocab":{}}})");
       },
       ErrorCode::Unsupported, "tokenizer.json.model"},
      {"no tokenizer",
       [](StaticSource& source) {
         source.side = {};
         source.side.add("modules.json", kStatic);
       },
       ErrorCode::NotFound, "tokenizer.json"},
      {"a Dense module",
       [](StaticSource& source) {
         source.side.add("modules.json", R"([{"path":"","type":"x.StaticEmbedding"},
           {"path":"1_Dense","type":"x.Dense"}])");
       },
       ErrorCode::Unsupported, "modules.json[1].type"},
      {"truncation from the left",
       [](StaticSource& source) {
         std::string tokenizer = kTokenizer;
         tokenizer.insert(1, R"("truncation":{"max_length":2,"direction":"Left"},)");
         source.side.add("tokenizer.json", tokenizer);
       },
       ErrorCode::Unsupported, "tokenizer.json.truncation.direction"},
      {"rows of integers that are too wide",
       [](StaticSource& source) {
         source.tensors = {{"embeddings", "I32", {5, 2}, std::string(40, '\0')}};
       },
       ErrorCode::Unsupported, "embeddings"},
      {"rows that are no matrix", [](StaticSource& source) { source.tensors[0].shape = {10}; },
       ErrorCode::Mismatch, "embeddings"},
      {"no rows", [](StaticSource& source) { source.tensors[0].name = "weights"; },
       ErrorCode::NotFound, "embeddings"},
      {"fewer rows than tokens",
       [](StaticSource& source) {
         source.tensors = {{"embeddings", "F32", {4, 2}, std::string(32, '\0')}};
       },
       ErrorCode::Mismatch, "embeddings.word_embeddings.weight"},
      {"another count of weights",
       [](StaticSource& source) {
         source.tensors.push_back({"weights", "F32", {4}, std::string(16, '\0')});
       },
       ErrorCode::Mismatch, "embeddings.token_weights"},
      {"another count of the mapping",
       [](StaticSource& source) {
         source.tensors.push_back({"mapping", "I32", {6}, std::string(24, '\0')});
       },
       ErrorCode::Mismatch, "embeddings.token_mapping"},
      {"a mapping of 64 bits",
       [](StaticSource& source) {
         source.tensors.push_back({"mapping", "I64", {5}, std::string(40, '\0')});
       },
       ErrorCode::Unsupported, "embeddings.token_mapping"},
      {"a tensor that is not known",
       [](StaticSource& source) {
         source.tensors.push_back({"bias", "F32", {2}, std::string(8, '\0')});
       },
       ErrorCode::Unsupported, "bias"}};
  for (const Fault& fault : kFaults) {
    StaticSource source;
    fault.change(source);
    const auto file = source.convert();
    ASSERT_FALSE(file) << fault.name;
    EXPECT_EQ(file.error().code, fault.code) << fault.name << ": " << describe(file.error());
    EXPECT_EQ(file.error().path, fault.path) << fault.name;
  }
}

TEST(StaticPlan, OtherFormatsHoldNoStaticModel) {
  const auto file = StaticSource().convert();
  ASSERT_TRUE(file);
  const auto gguf = testing::run(*file, {}, testing::to("gguf"));
  ASSERT_FALSE(gguf);
  EXPECT_EQ(gguf.error().path, "metadata.architecture");
}

// Model2Vec's own fixtures and vectors, at their tolerance.
class Model2VecModels : public ::testing::Test {
 protected:
  void SetUp() override { AMBRY_NEEDS_DATA("model2vec"); }

  static Result<File> converted(const std::string& name, const Options& options = {}) {
    const auto folder = ambry::testing::data_folder() / "model2vec";
    SideFiles side;
    side.add("config.json", *ambry::testing::read_text(folder / name / "config.json"));
    side.add("modules.json", *ambry::testing::read_text(folder / name / "modules.json"));
    side.add("tokenizer.json", *ambry::testing::read_text(folder / "float32/tokenizer.json"));
    return testing::run(*ambry::testing::read_file(folder / name / "model.safetensors"), side,
                        options);
  }
  static Floats expected(const std::string& name) {
    const auto text = ambry::testing::read_text(ambry::testing::data_folder() / "model2vec" / name);
    const auto json = io::parse_json(*text);
    Floats values;
    for (const io::Json& item : json->items()[0].items()) {
      values.push_back(static_cast<float>(item.number()));
    }
    return values;
  }
  static std::string long_text() {
    std::string text = "hello";
    for (int i = 1; i < 1000; ++i) text += " hello";
    return text;
  }
};

void expect_close(const Floats& vector, const Floats& reference, float relative) {
  ASSERT_EQ(vector.size(), reference.size());
  for (size_t i = 0; i < vector.size(); ++i) {
    EXPECT_NEAR(vector[i], reference[i], relative * std::abs(reference[i])) << i;
  }
}

TEST_F(Model2VecModels, GiveTheirReferenceVectors) {
  const auto file = converted("float32");
  expect_close(vector_of(file, "hello world"), expected("embeddings_short.json"), 1e-5F);
  expect_close(vector_of(file, long_text()), expected("embeddings_long.json"), 1e-5F);
}

// Model2Vec's own tolerance for the narrower types is a tenth.
TEST_F(Model2VecModels, OfNarrowerTypesAreClose) {
  for (const char* name : {"float16", "int8"}) {
    const auto file = converted(name);
    expect_close(vector_of(file, "hello world"), expected("embeddings_short.json"), 0.1F);
    expect_close(vector_of(file, long_text()), expected("embeddings_long.json"), 0.1F);
  }
}

TEST_F(Model2VecModels, BecomeNarrowerHere) {
  for (const DType dtype : {DType::F16, DType::Int8}) {
    const auto file = converted("float32", testing::to("embd", dtype));
    expect_close(vector_of(file, "hello world"), expected("embeddings_short.json"), 0.02F);
  }
}

}  // namespace
}  // namespace ambry::convert
