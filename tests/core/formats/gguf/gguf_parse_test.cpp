// What GGUF files may hold, row by row of the format's page.
#include "formats/gguf/gguf_parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "formats/allocation_meter.h"
#include "formats/gguf/read_gguf.h"
#include "formats/sparse_source.h"
#include "model/decoder/decoder_config.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::gguf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using model::TokenizerKind;
using tensor::DType;

TEST(Gguf, ReadsTensorsInTheirPlaces) {
  GgufMaker maker;
  const File file = maker.make();
  const Read result = read(file);
  ASSERT_TRUE(result.clean()) << describe_first(result);
  const model::Model& model = *result.model;
  EXPECT_EQ(model.version, "v3");
  ASSERT_EQ(model.tensors.size(), 12U);
  EXPECT_EQ(model.tensors[0].name, "token_embd.weight");
  EXPECT_EQ(model.tensors[0].dtype, DType::Q8_0);
  EXPECT_EQ(model.tensors[0].shape, (tensor::Shape{6, 32}));
  EXPECT_EQ(model.tensors[0].offset, maker.data);
  EXPECT_EQ(model.tensors[0].bytes, 6 * 34U);
  EXPECT_EQ(model.tensors[1].offset, maker.data + 224);
  EXPECT_EQ(model.tensors[1].index_offset, maker.infos[1]);
  EXPECT_EQ(model.tensors[3].dtype, DType::Q4_1);
  ASSERT_EQ(model.regions.size(), 3U);
  EXPECT_EQ(model.regions[2].name, "tensor_infos");
  EXPECT_EQ(model.regions[2].offset, maker.infos[0]);
}

TEST(Gguf, ReadsEveryValueType) {
  GgufMaker maker;
  maker.metadata = {number("a.u8", ValueType::U8, uint8_t{255}),
                    number("a.i8", ValueType::I8, int8_t{-128}),
                    number("a.u16", ValueType::U16, uint16_t{65535}),
                    number("a.i16", ValueType::I16, int16_t{-300}),
                    number("a.u32", ValueType::U32, UINT32_MAX),
                    number("a.i32", ValueType::I32, int32_t{-70000}),
                    number("a.f32", ValueType::F32, 1e-5F),
                    number("a.bool", ValueType::Bool, uint8_t{0}),
                    text("a.string", "caf\xC3\xA9"),
                    number("a.u64", ValueType::U64, UINT64_MAX),
                    number("a.i64", ValueType::I64, INT64_MIN),
                    number("a.f64", ValueType::F64, 0.1),
                    texts("a.array", {"x", ""}),
                    numbers<float>("a.empty", ValueType::F32, {}),
                    numbers<float>("a.floats", ValueType::F32, {0.1F, -2.5F, 1e-12F, 16777216.0F})};
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  EXPECT_EQ(result.model->metadata.dump(),
            "{\"a.u8\":255,\"a.i8\":-128,\"a.u16\":65535,\"a.i16\":-300,\"a.u32\":4294967295,"
            "\"a.i32\":-70000,\"a.f32\":0.00001,\"a.bool\":false,\"a.string\":\"caf\xC3\xA9\","
            "\"a.u64\":18446744073709551615,\"a.i64\":-9223372036854775808,\"a.f64\":0.1,"
            "\"a.array\":[\"x\",\"\"],\"a.empty\":[],"
            "\"a.floats\":[0.1,-2.5,1e-12,16777216.0]}");
}

// A nested array of `depth` levels around one byte.
Entry nested(int depth) {
  File value;
  put(value, static_cast<uint32_t>(ValueType::Array));
  for (int i = 1; i < depth; ++i) {
    put(value, static_cast<uint32_t>(ValueType::Array));
    put(value, uint64_t{1});
  }
  put(value, static_cast<uint32_t>(ValueType::U8));
  put(value, uint64_t{1});
  put(value, uint8_t{7});
  return {"a.nested", value};
}

TEST(Gguf, ReadsNestedArraysFourDeep) {
  GgufMaker maker;
  maker.metadata = {nested(4)};
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  EXPECT_EQ(result.model->metadata.find("a.nested")->dump(), "[[[[7]]]]");
  maker.metadata = {nested(5)};
  EXPECT_EQ(read(maker.make()).model.error().code, ErrorCode::LimitExceeded);
}

TEST(Gguf, SummarisesLongArrays) {
  GgufMaker maker;
  maker.metadata = {numbers("a.long", ValueType::F32, std::vector<float>(65, 1)),
                    texts("a.texts", std::vector<std::string>(100, "x")),
                    numbers("a.short", ValueType::U8, std::vector<uint8_t>(64, 1)),
                    u32("a.after", 9)};
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  const io::Json& metadata = result.model->metadata;
  EXPECT_EQ(metadata.find("a.long")->dump(), R"({"array":"f32","length":65})");
  EXPECT_EQ(metadata.find("a.texts")->dump(), R"({"array":"string","length":100})");
  EXPECT_EQ(metadata.find("a.short")->items().size(), 64U);
  EXPECT_EQ(metadata.find("a.after")->uint(), 9U);
}

TEST(Gguf, HonoursTheAlignment) {
  for (const uint32_t alignment : {8U, 64U, 4096U}) {
    GgufMaker maker;
    maker.alignment = alignment;
    maker.metadata.push_back(u32("general.alignment", alignment));
    const Read result = read(maker.make());
    ASSERT_TRUE(result.clean()) << alignment << describe_first(result);
    EXPECT_EQ(result.model->tensors[0].offset % alignment, 0U);
  }
}

TEST(Gguf, KnowsEveryTypeOfGgml) {
  for (const TensorType& known : kTensorTypes) {
    GgufMaker maker;
    maker.metadata = {u32("general.quantization_version", 2), text("general.architecture", "x")};
    maker.tensors = {{"t", {2, 256}, known.number}};
    const Read result = read(maker.make());
    ASSERT_TRUE(result.clean()) << known.number << describe_first(result);
    EXPECT_EQ(result.model->tensors[0].dtype, known.dtype);
    const tensor::Block block = tensor::block_of(known.dtype);
    EXPECT_EQ(result.model->tensors[0].bytes, 512U / block.elements * block.bytes);
  }
}

TEST(Gguf, StatesTheFactsOfADecoder) {
  const Read result = read(make_gguf());
  const io::Json& config = result.model->config;
  EXPECT_EQ(config.find("architecture")->string(), "llama");
  EXPECT_EQ(config.find("n_vocab")->uint(), 6U);
  EXPECT_EQ(config.find("n_kv_heads")->uint(), 1U);
  EXPECT_EQ(config.find("norm_eps")->number(), 1e-5);
  EXPECT_EQ(config.find("rope_style")->string(), "interleaved");
  EXPECT_FALSE(config.find("tie_word_embeddings")->boolean());
  io::Diagnostics found;
  const auto facts = model::decoder_config(*result.model, found);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->head_dim, 16U);
  EXPECT_EQ(facts->n_ff, 64U);
  EXPECT_EQ(facts->max_seq_len, 16U);
  EXPECT_EQ(facts->rope_style, model::RopeStyle::Interleaved);
}

TEST(Gguf, StatesRotationAndScaling) {
  GgufMaker maker;
  maker.metadata.push_back(u32("llama.rope.dimension_count", 8));
  maker.metadata.push_back(f32("llama.rope.freq_base", 500000));
  maker.metadata.push_back(text("llama.rope.scaling.type", "yarn"));
  maker.metadata.push_back(f32("llama.rope.scaling.factor", 4));
  maker.metadata.push_back(u32("llama.rope.scaling.original_context_length", 4));
  const Read result = read(maker.make());
  io::Diagnostics found;
  const auto facts = model::decoder_config(*result.model, found);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->n_rotated, 8U);
  EXPECT_EQ(facts->rope_freq_base, 500000);
  EXPECT_EQ(facts->rope_scaling.kind, model::RopeScaling::Kind::Yarn);
  EXPECT_EQ(facts->rope_scaling.factor, 4);
}

TEST(Gguf, PlacesTensorsPastFourGigabytes) {
  GgufMaker maker;
  maker.metadata = {text("general.architecture", "big")};
  maker.tensors = {{"a", {3 << 20, 1 << 10}}, {"b", {5, 256}, 12, 5 * 144}, {"c", {1}}};
  formats::testing::SparseSource source;
  source.put(0, maker.make_head());
  const uint64_t data = maker.data;
  source.set_size(data + (12ULL << 30) + 736 + 32);
  const Read result = read(source);
  ASSERT_TRUE(result.model) << describe_first(result);
  EXPECT_TRUE(result.found.errors.empty()) << describe_first(result);
  EXPECT_EQ(result.model->tensors[1].offset, data + (12ULL << 30));
  EXPECT_EQ(result.model->tensors[2].offset, data + (12ULL << 30) + 736);
  EXPECT_LT(source.largest_view(), 4096U);
}

// Without the vocabulary nothing but its arrays is missing; everything is there in few requests.
TEST(Gguf, AsksForALongHeaderInThreePieces) {
  GgufMaker maker;
  std::vector<std::string> tokens(100'000);
  std::vector<std::string> merges(150'000);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = "token" + std::to_string(i);
  for (size_t i = 0; i < merges.size(); ++i) merges[i] = "left right" + std::to_string(i);
  maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "gpt2");
  maker.entry("tokenizer.ggml.tokens") = texts("tokenizer.ggml.tokens", tokens);
  maker.entry("tokenizer.ggml.scores") =
      numbers("tokenizer.ggml.scores", ValueType::F32, std::vector<float>(tokens.size()));
  maker.entry("tokenizer.ggml.token_type") =
      numbers("tokenizer.ggml.token_type", ValueType::I32, std::vector<int32_t>(tokens.size(), 1));
  maker.metadata.push_back(texts("tokenizer.ggml.merges", merges));
  maker.tensors.clear();
  for (int i = 0; i < 300; ++i) {
    maker.tensors.push_back({"blk." + std::to_string(i) + ".attn_norm.weight", {1 << 20}});
  }
  const File head = maker.make_head();
  const uint64_t size = head.size() + 300 * (4ULL << 20);
  for (const bool vocabulary : {true, false}) {
    io::PartialSource source(size);
    ASSERT_TRUE(source.insert(0, Bytes(head).first(4096)));
    int requests = 0;
    for (; requests < 10; ++requests) {
      const Read result = read(source, {.vocabulary = vocabulary});
      if (result.model) break;
      const Error& need = result.model.error();
      ASSERT_EQ(need.code, ErrorCode::NeedBytes) << describe(need);
      File bytes(need.need_size);
      const uint64_t held = std::min<uint64_t>(need.need_size, head.size() - need.byte_offset);
      std::copy_n(head.begin() + static_cast<std::ptrdiff_t>(need.byte_offset), held,
                  bytes.begin());
      ASSERT_TRUE(source.insert(need.byte_offset, bytes));
    }
    EXPECT_LE(requests, 2) << vocabulary;
    EXPECT_LE(source.loaded_bytes(), 2 * head.size());
  }
}

TEST(Gguf, RefusesALongNameBeforeCopyingIt) {
  GgufMaker maker;
  maker.tensors[2].name = std::string(20 << 20, 'n');
  const File file = maker.make();
  const ambry::testing::AllocationMeter meter;
  const Read result = read(file);
  EXPECT_LE(meter.peak(), 1U << 20);
  ASSERT_FALSE(result.model);
  EXPECT_EQ(result.model.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(result.model.error().byte_offset, maker.infos[2]);
  EXPECT_EQ(result.model.error().path, "tensors[2].name");
  EXPECT_NE(result.model.error().message.find("at most 65536"), std::string::npos);
}

TEST(Gguf, TakesNoMoreThanTwiceALargeVocabularyOfEmptyTokens) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "bert");
  maker.entry("tokenizer.ggml.tokens") =
      texts("tokenizer.ggml.tokens", std::vector<std::string>(200'000, "\xE2\x96\x81"));
  maker.entry("tokenizer.ggml.scores") = u32("a.b", 1);
  maker.entry("tokenizer.ggml.token_type") = u32("a.c", 1);
  const File file = maker.make();
  const ambry::testing::AllocationMeter meter;
  const Read result = read(file);
  EXPECT_LE(meter.peak(), 2 * file.size() + (64 << 10));
  ASSERT_TRUE(result.model);
  EXPECT_EQ(result.model->tokenizer->vocabulary.size(), 200'000U);
  EXPECT_EQ(result.model->tokenizer->vocabulary.text_bytes(), 0U);
}

}  // namespace
}  // namespace ambry::formats::gguf
