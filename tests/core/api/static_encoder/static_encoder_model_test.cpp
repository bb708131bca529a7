#include "api/static_encoder/static_encoder_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "api/static_encoder/load_static.h"
#include "api/tokenizer/token_lists.h"
#include "data_files.h"
#include "formats/embd/make_static.h"
#include "io/json/json.h"
#include "tensor/dtype/convert.h"

namespace ambry::api {
namespace {

using formats::embd::testing::bytes_of;
using formats::embd::testing::F0Maker;
using formats::embd::testing::static_maker;
using testing::embed;
using testing::load_static;
using Rows = std::vector<float>;

constexpr uint8_t kF32 = 0;
constexpr uint8_t kI32 = 3;
constexpr uint8_t kI8 = 5;

std::vector<float> numbers(const io::Json& list) {
  std::vector<float> values;
  for (const io::Json& item : list.items()) values.push_back(static_cast<float>(item.number()));
  return values;
}

std::string stored(tensor::DType dtype, const std::vector<float>& values) {
  std::string bytes(values.size() * tensor::dtype_size(dtype), '\0');
  const MutableBytes out(reinterpret_cast<uint8_t*>(bytes.data()), bytes.size());
  EXPECT_TRUE(tensor::from_f32(dtype, values, out));
  return bytes;
}

// A case of tests/fixtures/static_encoder/cases.json as a file.
F0Maker maker_of(const io::Json& fixture, const io::Json& given) {
  F0Maker maker = static_maker();
  maker.tokens.clear();
  for (const io::Json& token : fixture.find("tokens")->items()) {
    maker.tokens.push_back(token.string());
  }
  const auto n_tokens = static_cast<uint32_t>(maker.tokens.size());
  const auto& rows = given.find("rows")->items();
  std::vector<float> values;
  for (const io::Json& row : rows) {
    const std::vector<float> one = numbers(row);
    values.insert(values.end(), one.begin(), one.end());
  }
  const auto n_rows = static_cast<uint32_t>(rows.size());
  const auto dim = static_cast<uint32_t>(values.size() / rows.size());
  const std::string dtype = given.find("dtype")->string();
  const auto as_dtype = dtype == "f32"   ? tensor::DType::F32
                        : dtype == "f16" ? tensor::DType::F16
                                         : tensor::DType::I8;
  const uint8_t code = dtype == "f32" ? kF32 : dtype == "f16" ? 1 : kI8;
  maker.tensors = {
      {"embeddings.word_embeddings.weight", {n_rows, dim}, code, stored(as_dtype, values)}};
  const auto add = [&](const char* key, const char* name, uint8_t type, tensor::DType as) {
    const std::vector<float> list = numbers(*given.find(key));
    if (list.empty()) return;
    maker.tensors.push_back({name, {static_cast<uint32_t>(list.size())}, type, stored(as, list)});
  };
  add("scales", "embeddings.word_embeddings.weight.scale", kF32, tensor::DType::F32);
  add("weights", "embeddings.token_weights", kF32, tensor::DType::F32);
  add("mapping", "embeddings.token_mapping", kI32, tensor::DType::I32);
  const auto text_of = [&](const char* key) { return given.find(key)->dump(); };
  maker.metadata = {{"architecture", "static"},
                    {"embedding_dim", std::to_string(dim)},
                    {"vocab_size", std::to_string(n_tokens)},
                    {"normalize", text_of("normalize")},
                    {"drop_unknown", text_of("drop_unknown")},
                    {"max_seq_length", text_of("max_seq_length")},
                    {"median_token_length", text_of("median_token_length")}};
  maker.no_special = true;
  return maker;
}

TEST(StaticEncoderModel, GivesTheVectorsOfTheReference) {
  const auto text =
      ambry::testing::read_text(ambry::testing::fixtures_folder() / "static_encoder/cases.json");
  ASSERT_TRUE(text);
  const auto fixture = io::parse_json(*text);
  ASSERT_TRUE(fixture);
  std::vector<std::string> texts;
  for (const io::Json& item : fixture->find("texts")->items()) texts.push_back(item.string());
  size_t n_cases = 0;
  for (const io::Json& given : fixture->find("cases")->items()) {
    SCOPED_TRACE(given.find("name")->string());
    const auto session = load_static(maker_of(*fixture, given).make());
    ASSERT_TRUE(session) << describe(session.error());
    const auto rows = embed(*session, texts);
    ASSERT_TRUE(rows) << describe(rows.error());
    const auto& vectors = given.find("vectors")->items();
    const size_t dim = vectors[0].items().size();
    ASSERT_EQ(rows->size(), vectors.size() * dim);
    for (size_t i = 0; i < rows->size(); ++i) {
      const double expected = vectors[i / dim].items()[i % dim].number();
      EXPECT_NEAR((*rows)[i], expected, 1e-6 + 1e-6 * std::abs(expected)) << i / dim;
    }
    ++n_cases;
  }
  EXPECT_EQ(n_cases, 9U);
}

// Tokens 5 to 7 are `a`, `##b` and `é`.
TEST(StaticEncoderModel, GivesEachTokenItsRow) {
  const auto session = load_static(static_maker().make());
  ASSERT_TRUE(session) << describe(session.error());
  const auto job = testing::run_job(*session, {"a nothing ab", ""}, R"({"pooling":"none"})");
  ASSERT_TRUE(job);
  EXPECT_EQ(std::vector<uint32_t>(job->row_counts().begin(), job->row_counts().end()),
            (std::vector<uint32_t>{3, 0}));
  const Rows a = *embed(*session, {"a"});
  EXPECT_EQ(Rows(job->result().begin(), job->result().begin() + 4), a);
  EXPECT_EQ(Rows(job->result().begin() + 4, job->result().begin() + 8), a);
}

TEST(StaticEncoderModel, CutsVectorsBeforeItNormalizes) {
  const auto session = load_static(static_maker().make());
  ASSERT_TRUE(session);
  const Rows whole = *embed(*session, {"a"});
  const Rows cut = *embed(*session, {"a"}, R"({"dim":2,"normalize":true})");
  ASSERT_EQ(cut.size(), 2U);
  const float length = std::hypot(whole[0], whole[1]);
  EXPECT_NEAR(cut[0], whole[0] / length, 1e-6);
  EXPECT_NEAR(cut[1], whole[1] / length, 1e-6);
}

TEST(StaticEncoderModel, GivesZerosForATextWithoutTokens) {
  const auto session = load_static(static_maker().make());
  ASSERT_TRUE(session);
  for (const char* text : {"", "  ", "unheard"}) {
    EXPECT_EQ(*embed(*session, {text}, R"({"normalize":true})"), Rows(4, 0.0F)) << text;
  }
}

TEST(StaticEncoderModel, PutsPromptsBeforeTexts) {
  F0Maker maker = static_maker();
  maker.metadata.emplace_back("prompts", R"({"query":"a "})");
  const auto session = load_static(maker.make());
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_EQ(*embed(*session, {"ab"}, R"({"prompt":"query"})"), *embed(*session, {"a ab"}));
}

TEST(StaticEncoderModel, ReadsLongTextsUpToItsLimit) {
  F0Maker maker = static_maker();
  maker.metadata.emplace_back("max_seq_length", "2");
  const auto session = load_static(maker.make());
  ASSERT_TRUE(session);
  EXPECT_EQ(*embed(*session, {"a ab a"}), *embed(*session, {"a a"}));
  const auto refused = embed(*session, {"a", "a ab a"}, R"({"truncate":"error"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(refused.error().path, "texts[1]");
}

TEST(StaticEncoderModel, TellsItsFacts) {
  const auto session = load_static(static_maker().make());
  ASSERT_TRUE(session);
  const auto info = io::parse_json(session->info());
  ASSERT_TRUE(info);
  const io::Json* config = info->find("config");
  EXPECT_EQ(config->find("architecture")->string(), "static");
  EXPECT_EQ(config->find("embeddingDim")->uint(), 4U);
  EXPECT_EQ(config->find("vocabSize")->uint(), 8U);
  EXPECT_EQ(session->weight_bytes(), 8U * 4U * sizeof(float));
  EXPECT_EQ(tokenize(**session->tokenizer(), "ab", nullptr, true).value(),
            R"({"ids":[5,6],"tokens":["a","##b"],"typeIds":[0,0],"offsets":[[0,1],[1,2]],)"
            R"("byteOffsets":[[0,1],[1,2]]})");
}

struct Fault {
  const char* name;
  void (*change)(F0Maker& maker);
  ErrorCode code;
  const char* path;
};

TEST(StaticEncoderModel, RefusesBadFiles) {
  const Fault kFaults[] = {
      {"a mapping out of range",
       [](F0Maker& maker) {
         maker.tensors.push_back(
             {"embeddings.token_mapping", {8}, kI32, bytes_of<int32_t>({0, 1, 2, 3, 4, 5, 6, 8})});
       },
       ErrorCode::BadValue, "embeddings.token_mapping"},
      {"a negative mapping",
       [](F0Maker& maker) {
         maker.tensors.push_back(
             {"embeddings.token_mapping", {8}, kI32, bytes_of<int32_t>({0, 1, 2, -1, 4, 5, 6, 7})});
       },
       ErrorCode::BadValue, "embeddings.token_mapping"},
      {"a mapping of floats",
       [](F0Maker& maker) { maker.tensors.push_back({"embeddings.token_mapping", {8}}); },
       ErrorCode::Unsupported, "embeddings.token_mapping"},
      {"too few weights",
       [](F0Maker& maker) { maker.tensors.push_back({"embeddings.token_weights", {7}}); },
       ErrorCode::Mismatch, "embeddings.token_weights"},
      {"a weight that is not finite",
       [](F0Maker& maker) {
         std::vector<float> weights(8, 1.0F);
         weights[3] = std::numeric_limits<float>::infinity();
         maker.tensors.push_back({"embeddings.token_weights", {8}, kF32, bytes_of(weights)});
       },
       ErrorCode::BadValue, "embeddings.token_weights"},
      {"a scale that is NaN",
       [](F0Maker& maker) {
         maker.tensors[0].dtype = kI8;
         maker.tensors.push_back({"embeddings.word_embeddings.weight.scale",
                                  {1},
                                  kF32,
                                  bytes_of<float>({std::numeric_limits<float>::quiet_NaN()})});
       },
       ErrorCode::BadValue, "embeddings.word_embeddings.weight.scale"},
      {"scales of another count",
       [](F0Maker& maker) {
         maker.tensors[0].dtype = kI8;
         maker.tensors.push_back({"embeddings.word_embeddings.weight.scale", {7}});
       },
       ErrorCode::Mismatch, "embeddings.word_embeddings.weight.scale"},
      {"rows of a type that is not supported", [](F0Maker& maker) { maker.tensors[0].dtype = 4; },
       ErrorCode::Unsupported, "embeddings.word_embeddings.weight"},
      {"fewer rows than tokens", [](F0Maker& maker) { maker.tensors[0].shape = {7, 4}; },
       ErrorCode::Mismatch, "embeddings.word_embeddings.weight"},
      {"an added token past the rows",
       [](F0Maker& maker) {
         maker.metadata.emplace_back("added_tokens", R"([{"id":8,"content":"more"}])");
       },
       ErrorCode::Mismatch, "metadata.added_tokens"},
      {"no rows", [](F0Maker& maker) { maker.tensors[0].name = "embeddings.LayerNorm.weight"; },
       ErrorCode::NotFound, "embeddings.word_embeddings.weight"},
      {"another dimension", [](F0Maker& maker) { maker.metadata[3].second = "5"; },
       ErrorCode::Mismatch, "metadata.embedding_dim"},
      {"another architecture", [](F0Maker& maker) { maker.metadata[0].second = "bert"; },
       ErrorCode::Unsupported, "metadata.architecture"}};
  for (const Fault& fault : kFaults) {
    F0Maker maker = static_maker();
    fault.change(maker);
    const auto session = load_static(maker.make());
    ASSERT_FALSE(session) << fault.name;
    EXPECT_EQ(session.error().code, fault.code) << fault.name << describe(session.error());
    EXPECT_EQ(session.error().path, fault.path) << fault.name;
  }
}

TEST(StaticEncoderModel, RefusesWhatItCannotDo) {
  const auto session = load_static(static_maker().make());
  ASSERT_TRUE(session);
  EXPECT_EQ(embed(*session, {"a"}, R"({"pooling":"cls"})").error().path, "options.pooling");
  EXPECT_EQ(embed(*session, {"a"}, R"({"dim":5})").error().path, "options.dim");
  EXPECT_EQ(load_static(static_maker().make(), "int8").error().path, "options.weights");
}

}  // namespace
}  // namespace ambry::api
