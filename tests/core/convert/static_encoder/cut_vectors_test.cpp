// Cuts static encoders to the first numbers of their vectors. What is left gives, bit for bit, the
// vectors that the whole model gives with so many numbers.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "api/static_encoder/load_static.h"
#include "base/concat.h"
#include "base/half.h"
#include "convert/run_conversion.h"
#include "formats/embd/make_embd.h"
#include "formats/embd/make_static.h"
#include "formats/expect_format.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/pytorch/make_pytorch.h"
#include "formats/safetensors/make_safetensors.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using formats::embd::testing::bytes_of;
using formats::safetensors::testing::from_tensors;
using formats::safetensors::testing::Tensor;
using tensor::DType;
using testing::File;

constexpr size_t kTokens = 5;
constexpr size_t kWhole = 7;

SideFiles side_files() {
  SideFiles side;
  side.add("config.json", R"({"model_type":"model2vec","normalize":true})");
  side.add("tokenizer.json", R"({"added_tokens":[],"normalizer":{"type":"BertNormalizer",
    "lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,
    "model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[PAD]":0,"[UNK]":1,"a":2,"cat":3,
    "##s":4}}})");
  return side;
}

// Numbers that f16, bf16 and int8 cannot all hold, so that each type rounds.
std::vector<float> numbers(size_t n) {
  std::vector<float> values;
  for (size_t i = 0; i < n; ++i) {
    values.push_back(static_cast<float>((i * 2654435761U) % 1999) / 331.0F - 3.0F);
  }
  return values;
}

template <class T, class Make>
std::string rows_of(Make make) {
  std::vector<T> values;
  for (const float value : numbers(kTokens * kWhole)) values.push_back(make(value));
  return bytes_of(values);
}

// One model with rows of each type that a static encoder may have.
std::vector<std::vector<Tensor>> models() {
  const std::vector<uint64_t> shape = {kTokens, kWhole};
  const auto half = rows_of<uint16_t>([](float value) { return f32_to_f16(value); });
  const auto brain = rows_of<uint16_t>([](float value) { return f32_to_bf16(value); });
  const auto codes = rows_of<int8_t>([](float value) { return static_cast<int8_t>(value * 40); });
  const Tensor row_scales = {
      "embeddings.scale", "F32", {kTokens}, bytes_of<float>({1, 0.1F, 0.03F, 0.007F, 0.5F})};
  const Tensor one_scale = {"embeddings.scale", "F32", {1}, bytes_of<float>({0.013F})};
  const Tensor weights = {"weights", "F32", {kTokens}, bytes_of<float>({1, 1, 0.3F, 2.7F, 0.9F})};
  const Tensor mapping = {"mapping", "I32", {kTokens}, bytes_of<int32_t>({0, 1, 4, 2, 3})};
  return {{{"embeddings", "F32", shape, rows_of<float>([](float value) { return value; })}},
          {{"embeddings", "F64", shape, rows_of<double>([](float value) { return value / 3.0; })}},
          {{"embeddings", "F16", shape, half}, weights, mapping},
          {{"embeddings", "BF16", shape, brain}},
          {{"embeddings", "I8", shape, codes}},
          {{"embeddings", "I8", shape, codes}, one_scale},
          {{"embeddings", "I8", shape, codes}, row_scales, weights}};
}

Options to_dim(uint64_t dim, std::optional<DType> dtype = std::nullopt) {
  Options options = testing::to("embd", dtype);
  options.dim = dim;
  return options;
}

std::vector<float> vectors_of(const File& file, const std::string& options) {
  const auto session = api::testing::load_static(file);
  EXPECT_TRUE(session) << describe(session.error());
  const auto vectors =
      api::testing::embed(*session, {"a cats", "cat", "unknowable", "a a cats cat"}, options);
  EXPECT_TRUE(vectors) << describe(vectors.error());
  return *vectors;
}

std::string embed_options(bool normalize, const std::string& more) {
  return concat({R"({"normalize":)", normalize ? "true" : "false", more, "}"});
}

TEST(CutVectors, AreThoseOfTheWholeModel) {
  for (const std::vector<Tensor>& tensors : models()) {
    const File source = from_tensors(tensors);
    const auto whole = testing::run(source, side_files(), testing::to("embd"));
    ASSERT_TRUE(whole) << describe(whole.error());
    for (size_t dim = 1; dim <= kWhole; ++dim) {
      const auto cut = testing::run(*whole, {}, to_dim(dim));
      ASSERT_TRUE(cut) << describe(cut.error());
      for (const bool normalize : {true, false}) {
        for (const std::string pooling : {R"(,"pooling":"mean")", R"(,"pooling":"none")"}) {
          const std::string first = concat({pooling, R"(,"dim":)", dim});
          EXPECT_EQ(vectors_of(*cut, embed_options(normalize, pooling)),
                    vectors_of(*whole, embed_options(normalize, first)))
              << tensors.front().dtype << " " << dim;
        }
      }
      const auto at_once = testing::run(source, side_files(), to_dim(dim));
      ASSERT_TRUE(at_once) << describe(at_once.error());
      EXPECT_EQ(*at_once, *cut) << "the directory may be cut as well as its file";
    }
    EXPECT_EQ(*testing::run(*whole, {}, to_dim(kWhole)), *whole) << "all numbers are no change";
  }
}

TEST(CutVectors, GiveASoundFileThatStatesItsDimensions) {
  const auto whole = testing::run(from_tensors(models().back()), side_files(), {});
  ASSERT_TRUE(whole);
  const auto cut = testing::run(*whole, {}, to_dim(3));
  ASSERT_TRUE(cut);
  const auto model = formats::testing::sound_model(*cut, "embd");
  ASSERT_TRUE(model);
  EXPECT_EQ(model::metadata_text(model->metadata, "embedding_dim"), "3");
  EXPECT_EQ(model->tensors.front().shape, (tensor::Shape{kTokens, 3}));
}

// Rows are converted after the cut, and their scales are those of what is left.
TEST(CutVectors, BecomeAnotherType) {
  const File source = from_tensors(models().front());
  for (const DType dtype : {DType::F16, DType::BF16}) {
    const auto whole = testing::run(source, side_files(), testing::to("embd", dtype));
    const auto cut = testing::run(source, side_files(), to_dim(4, dtype));
    ASSERT_TRUE(whole && cut);
    EXPECT_EQ(vectors_of(*cut, "{}"), vectors_of(*whole, R"({"dim":4})"));
  }
  const auto floats = testing::run(source, side_files(), to_dim(4));
  ASSERT_TRUE(floats);
  const auto after = testing::run(*floats, {}, testing::to("embd", DType::Int8));
  const auto at_once = testing::run(source, side_files(), to_dim(4, DType::Int8));
  ASSERT_TRUE(after && at_once);
  EXPECT_EQ(*at_once, *after);
  // Integers become floats by the scales of their rows.
  const File codes = from_tensors(models().back());
  const auto whole = testing::run(codes, side_files(), testing::to("embd", DType::F32));
  const auto cut = testing::run(codes, side_files(), to_dim(4, DType::F32));
  ASSERT_TRUE(whole && cut);
  EXPECT_EQ(vectors_of(*cut, "{}"), vectors_of(*whole, R"({"dim":4})"));
}

// The rows are read in blocks of a few MiB, and the tokens have rows of different blocks.
TEST(CutVectors, AreCutInEveryBlock) {
  constexpr uint64_t kRows = 40'000;
  constexpr uint64_t kColumns = 67;
  const std::vector<Tensor> tensors = {
      {"embeddings", "F32", {kRows, kColumns}, bytes_of(numbers(kRows * kColumns))},
      {"mapping", "I32", {kTokens}, bytes_of<int32_t>({0, 1, 39'999, 15'650, 31'301})}};
  const auto whole = testing::run(from_tensors(tensors), side_files(), {});
  ASSERT_TRUE(whole);
  for (const std::optional<DType> dtype : {std::optional<DType>(), std::optional(DType::F16)}) {
    const auto narrow = testing::run(*whole, {}, testing::to("embd", dtype));
    const auto cut = testing::run(*whole, {}, to_dim(50, dtype));
    ASSERT_TRUE(narrow && cut);
    EXPECT_EQ(vectors_of(*cut, "{}"), vectors_of(*narrow, R"({"dim":50})"));
  }
}

TEST(CutVectors, AreThoseOfAMatrixThatIsStoredByColumns) {
  const std::string stored = bytes_of(numbers(kTokens * kWhole));
  const File file =
      formats::pytorch::testing::from_tensors(
          {{"embeddings", "FloatStorage", {kTokens, kWhole}, stored, 0, {1, kTokens}}})
          .make();
  const auto whole = testing::run(file, side_files(), {});
  ASSERT_TRUE(whole) << describe(whole.error());
  const auto cut = testing::run(file, side_files(), to_dim(3));
  ASSERT_TRUE(cut) << describe(cut.error());
  EXPECT_EQ(vectors_of(*cut, "{}"), vectors_of(*whole, R"({"dim":3})"));
}

TEST(CutVectors, ReportWhatTheWholeTensorTook) {
  const File file = from_tensors(models().front());
  const SideFiles side = side_files();
  const io::MemorySource source(file);
  const auto conversion = Conversion::begin(SourceFiles(source, side), to_dim(2));
  ASSERT_TRUE(conversion);
  const TensorReport& rows = conversion->report()->tensors.front();
  EXPECT_EQ(rows.bytes_before, kTokens * kWhole * sizeof(float));
  EXPECT_EQ(rows.bytes, kTokens * 2 * sizeof(float));
}

// A fault is found by its place in the file, and one in a number that is left out does no harm.
TEST(CutVectors, NameTheByteOfAFault) {
  std::vector<float> values = numbers(kTokens * kWhole);
  values[2 * kWhole + 5] = std::numeric_limits<float>::quiet_NaN();
  const File file = from_tensors({{"embeddings", "F32", {kTokens, kWhole}, bytes_of(values)}});
  EXPECT_TRUE(testing::run(file, side_files(), to_dim(5, DType::Int8)));
  const auto bad = testing::run(file, side_files(), to_dim(6, DType::Int8));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().path, "embeddings, row 2");
  EXPECT_EQ(bad.error().byte_offset,
            file.size() - (kTokens * kWhole - (2 * kWhole + 5)) * sizeof(float));
}

TEST(CutVectors, MustBeFewerThanTheModelHas) {
  const File source = from_tensors(models().front());
  for (const uint64_t dim : {uint64_t{0}, uint64_t{kWhole + 1}, uint64_t{UINT64_MAX}}) {
    const auto made = testing::run(source, side_files(), to_dim(dim));
    ASSERT_FALSE(made) << dim;
    EXPECT_EQ(made.error().code, ErrorCode::BadValue) << describe(made.error());
    EXPECT_EQ(made.error().path, "options.dim");
    EXPECT_NE(made.error().message.find("from 1 to 7"), std::string::npos);
  }
}

void expect_uncut(const File& file, Options options, const SideFiles& side = {}) {
  options.dim = 2;
  const auto made = testing::run(file, side, options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Unsupported) << describe(made.error());
  EXPECT_EQ(made.error().path, "options.dim") << describe(made.error());
}

TEST(CutVectors, AreThoseOfStaticEncodersOnly) {
  expect_uncut(formats::embd::testing::make_f0(), {});
  expect_uncut(formats::finalfusion::testing::make_simple(), testing::to("finalfusion"));
  expect_uncut(from_tensors(models().front()), {});  // nothing says that it is static
  const auto file = testing::run(from_tensors(models().front()), side_files(), {});
  ASSERT_TRUE(file);
  expect_uncut(*file, testing::to("gguf"));
}

}  // namespace
}  // namespace ambry::convert
