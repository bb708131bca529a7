// Quantized weights are decoded, merged, and coded again in their own types.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "convert/adapter/adapter_files.h"
#include "convert/adapter/merge_adapters.h"
#include "convert/checkpoint_quantization/quantized_fixture.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert {
namespace {

using testing::adapted;
using testing::AdapterFile;
using testing::DecoderDirectory;
using testing::File;
using testing::Matrix;
using testing::merged;
using testing::peft;
using testing::to;

constexpr const char* kWide = R"({"model_type":"llama","vocab_size":10,"hidden_size":256,
  "num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":256,
  "max_position_embeddings":32,"tie_word_embeddings":false})";

struct Values {
  tensor::DType dtype;
  std::vector<float> numbers;
};

Values values_of(const File& file, const char* format, std::string_view name) {
  const auto model = testing::sound_model(file, format);
  const auto found = std::ranges::find(model->tensors, name, &model::TensorEntry::name);
  EXPECT_NE(found, model->tensors.end());
  auto decoder = tensor::StreamDecoder::create(found->dtype, found->shape, found->quantization,
                                               found->bytes, found->offset);
  EXPECT_TRUE(decoder);
  Values values{found->dtype, std::vector<float>(static_cast<size_t>(*found->shape.count()))};
  Bytes bytes =
      Bytes(file).subspan(static_cast<size_t>(found->offset), static_cast<size_t>(found->bytes));
  size_t n = 0;
  while (n < values.numbers.size()) {
    const auto more = decoder->decode(bytes, std::span(values.numbers).subspan(n));
    if (!more || *more == 0) break;
    n += *more;
  }
  EXPECT_EQ(n, values.numbers.size());
  return values;
}

File quantized(const File& amb, const char* format, const char* type) {
  Options options = to(format);
  options.quantize.emplace();
  options.quantize->type = type;
  auto made = testing::run(amb, {}, options);
  EXPECT_TRUE(made) << describe(made.error());
  return *made;
}

struct Case {
  const char* format;
  const char* type;
  double tolerance;  // of the largest number
};

TEST(QuantizedBases, KeepTheirTypes) {
  const DecoderDirectory base = DecoderDirectory::make(kWide, "model.");
  const auto amb = testing::run(base.weights(), base.files, to("amb"));
  ASSERT_TRUE(amb);
  const Matrix a = Matrix::named("a", 2, 256);
  const Matrix b = Matrix::named("b", 256, 2);
  const std::string module = "base_model.model.model.layers.0.mlp.down_proj";
  const AdapterFile adapter =
      peft({a.tensor(module + ".lora_A.weight"), b.tensor(module + ".lora_B.weight")},
           R"({"peft_type":"LORA","r":2,"lora_alpha":1})");
  for (const auto& [format, type, tolerance] :
       {Case{"amb", "int8", 0.01}, Case{"amb", "int4", 0.15}, Case{"gguf", "q8_0", 0.01},
        Case{"gguf", "q4_k", 0.12}, Case{"gguf", "q6_k", 0.04}}) {
    SCOPED_TRACE(type);
    const File small = quantized(*amb, format, type);
    const bool is_gguf = std::string_view(format) == "gguf";
    const char* const name =
        is_gguf ? "blk.0.ffn_down.weight" : "model.layers.0.mlp.down_proj.weight";
    const Values before = values_of(small, format, name);
    std::vector<Error> warnings;
    const auto made = adapted(small, {}, {adapter}, to(format), &warnings);
    ASSERT_TRUE(made) << describe(made.error());
    const Values after = values_of(*made, format, name);
    EXPECT_EQ(after.dtype, before.dtype);
    const auto expected = merged(before.numbers, b, a, 0.5);
    const float most = std::abs(*std::ranges::max_element(
        expected, [](float x, float y) { return std::abs(x) < std::abs(y); }));
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(after.numbers[i], expected[i], most * tolerance) << i;
    }
    EXPECT_NE(after.numbers, before.numbers);
    const auto told = [&](const Error& warning) {
      return warning.path == "options.adapter" &&
             warning.message.find("coded again") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(warnings, told), 1);
  }
}

// What is coded again has no minima.
TEST(QuantizedBases, MayHaveMinima) {
  const auto base = testing::directory_of(testing::quantized_case("mlx_4bit"));
  const Matrix a = Matrix::named("a", 2, 128);
  const Matrix b = Matrix::named("b", 40, 2);
  const std::string module = "base_model.model.model.layers.0.mlp.up_proj";
  const AdapterFile adapter =
      peft({a.tensor(module + ".lora_A.weight"), b.tensor(module + ".lora_B.weight")},
           R"({"peft_type":"LORA","r":2,"lora_alpha":1})");
  const auto plain = testing::run(base.weights(), base.files, to("amb"));
  ASSERT_TRUE(plain) << describe(plain.error());
  constexpr const char* kName = "model.layers.0.mlp.up_proj.weight";
  const auto expected = merged(values_of(*plain, "amb", kName).numbers, b, a, 0.5);
  const float most = std::abs(*std::ranges::max_element(
      expected, [](float x, float y) { return std::abs(x) < std::abs(y); }));
  for (const bool directory : {true, false}) {
    const auto made = directory ? adapted(base.weights(), base.files, {adapter}, to("amb"))
                                : adapted(*plain, {}, {adapter}, to("amb"));
    ASSERT_TRUE(made) << describe(made.error());
    const Values after = values_of(*made, "amb", kName);
    EXPECT_EQ(after.dtype, tensor::DType::Int4Block);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(after.numbers[i], expected[i], most * 0.15) << i;
    }
  }
}

TEST(QuantizedBases, BecomeOtherFormats) {
  const DecoderDirectory base = DecoderDirectory::make(kWide, "model.");
  const auto amb = testing::run(base.weights(), base.files, to("amb"));
  ASSERT_TRUE(amb);
  const Matrix a = Matrix::named("a", 2, 256);
  const Matrix b = Matrix::named("b", 256, 2);
  const std::string module = "base_model.model.model.layers.0.mlp.down_proj";
  const AdapterFile adapter =
      peft({a.tensor(module + ".lora_A.weight"), b.tensor(module + ".lora_B.weight")});
  for (const auto& [from, type, into] :
       {std::tuple("amb", "int8", "gguf"), std::tuple("gguf", "q8_0", "amb")}) {
    const File small = quantized(*amb, from, type);
    const auto name_in = [](std::string_view format) {
      return format == "gguf" ? "blk.0.ffn_down.weight" : "model.layers.0.mlp.down_proj.weight";
    };
    const Values before = values_of(small, from, name_in(from));
    const auto plain = testing::run(small, {}, to(into));
    const auto made = adapted(small, {}, {adapter}, to(into));
    ASSERT_TRUE(plain) << describe(plain.error());
    ASSERT_TRUE(made) << describe(made.error());
    const Values after = values_of(*made, into, name_in(into));
    EXPECT_EQ(after.dtype, values_of(*plain, into, name_in(into)).dtype);
    const auto expected = merged(before.numbers, b, a, 2);
    const float most = *std::ranges::max_element(expected);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(after.numbers[i], expected[i], most / 50) << from << " " << i;
    }
  }
}

TEST(QuantizedBases, AreQuantizedOtherwiseAfterTheMerge) {
  const DecoderDirectory base = DecoderDirectory::make(kWide, "model.");
  const Matrix a = Matrix::named("a", 2, 256);
  const Matrix b = Matrix::named("b", 256, 2);
  const std::string module = "base_model.model.model.layers.0.mlp.down_proj";
  const AdapterFile adapter =
      peft({a.tensor(module + ".lora_A.weight"), b.tensor(module + ".lora_B.weight")});
  const auto amb = testing::run(base.weights(), base.files, to("amb"));
  ASSERT_TRUE(amb);
  const auto whole = adapted(*amb, {}, {adapter}, to("amb"));
  ASSERT_TRUE(whole);
  Options options = to("amb");
  options.quantize.emplace();
  options.quantize->type = "int8";
  const auto at_once = adapted(*amb, {}, {adapter}, options);
  ASSERT_TRUE(at_once) << describe(at_once.error());
  EXPECT_EQ(*at_once, quantized(*whole, "amb", "int8"));
}

TEST(QuantizedBases, OfTypesThatAreNotMadeAreRefused) {
  const Matrix a = Matrix::named("a", 2, 32);
  const Matrix b = Matrix::named("b", 64, 2);
  const AdapterFile adapter = testing::gguf_adapter(
      {{"blk.0.ffn_up.weight.lora_a", a}, {"blk.0.ffn_up.weight.lora_b", b}}, 4);
  testing::gg::GgufMaker maker;
  for (auto& tensor : maker.tensors) {
    if (tensor.name == "blk.0.ffn_up.weight") tensor.type = 20;  // IQ4_NL
  }
  const auto made = adapted(maker.make(), {}, {adapter}, to("gguf"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Unsupported) << describe(made.error());
  EXPECT_EQ(made.error().path, "blk.0.ffn_up.weight");
}

}  // namespace
}  // namespace ambry::convert
