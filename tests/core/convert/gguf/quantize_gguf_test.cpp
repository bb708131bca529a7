// GGUF quantized to ggml's blocks, and GGUF of K-quants as a source.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "formats/gguf/gguf_decoder.h"
#include "io/source.h"
#include "tensor/codec/reference_blocks.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using tensor::DType;

// Width 256 and an inner width of 288: rows of ffn_down are no whole blocks of 256.
gg::GgufMaker wide_llama(uint32_t type) {
  gg::GgufMaker maker = llama();
  maker.entry("llama.embedding_length") = gg::u32("llama.embedding_length", 256);
  maker.entry("llama.feed_forward_length") = gg::u32("llama.feed_forward_length", 288);
  for (gg::Tensor& tensor : maker.tensors) {
    for (uint64_t& extent : tensor.shape) {
      extent = extent == 32 ? 256 : extent == 64 ? 288 : extent == 16 ? 128 : extent;
    }
    if (tensor.type != kF32) tensor.type = tensor.name == "blk.0.ffn_down.weight" ? kF32 : type;
  }
  return maker;
}

// A file whose tensors hold weights, in blocks of random bits or as floats.
File with_weights(gg::GgufMaker maker) {
  File file = maker.make();
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 0.05F);
  for (const model::TensorEntry& tensor : parsed(file, "gguf").tensors) {
    uint8_t* to = file.data() + tensor.offset;
    if (tensor.dtype == DType::F32) {
      for (uint64_t i = 0; i < tensor.bytes; i += 4) store_le(to + i, normal(random));
    } else {
      const size_t n = tensor.bytes / tensor::block_of(tensor.dtype).bytes;
      const auto blocks = tensor::testing::random_blocks(tensor.dtype, n, tensor.offset);
      std::ranges::copy(blocks, to);
    }
  }
  return file;
}

Options as_blocks(const char* type, const char* to = "gguf") {
  Options options;
  options.to = to;
  options.quantize.emplace().type = type;
  return options;
}

struct Quantized {
  File file;
  model::Model model;
  std::vector<Error> warnings;
};

Quantized quantized(const File& from, const Options& options) {
  Quantized made;
  auto file = run(from, {}, options, &made.warnings);
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return made;
  made.file = std::move(*file);
  made.model = parsed(made.file, options.to);
  return made;
}

double relative_error(const std::vector<float>& before, const std::vector<float>& after) {
  double difference = 0;
  double norm = 0;
  EXPECT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) {
    difference += std::pow(double{before[i]} - double{after[i]}, 2);
    norm += std::pow(double{before[i]}, 2);
  }
  return std::sqrt(difference / norm);
}

// The type of a matrix in a file of mostly another.
DType in_file_of(DType mostly, const std::string& name) {
  const bool value = name.ends_with("attn_v.weight") || name.ends_with("ffn_down.weight");
  const bool context = name.ends_with("attn_output.weight");
  if (mostly == DType::Q4_K || mostly == DType::Q6_K || mostly == DType::Q8_0) return mostly;
  if (name == "output.weight") return DType::Q6_K;
  if (mostly == DType::Q5_K) return value ? DType::Q6_K : mostly;
  if (!value && !context) return mostly;
  return mostly == DType::Q2_K ? DType::Q3_K : DType::Q4_K;
}

TEST(QuantizeGguf, StoresMatricesAsBlocks) {
  const File before = with_weights(wide_llama(kF32));
  const model::Model source = parsed(before, "gguf");
  for (const auto& [type, dtype, most, file_type] : {std::tuple{"q4_k", DType::Q4_K, 0.08, 14U},
                                                     {"q2_k", DType::Q2_K, 0.35, 10U},
                                                     {"q3_k", DType::Q3_K, 0.17, 12U},
                                                     {"q5_k", DType::Q5_K, 0.04, 17U},
                                                     {"q6_k", DType::Q6_K, 0.02, 18U},
                                                     {"q8_0", DType::Q8_0, 0.008, 7U}}) {
    const Quantized made = quantized(before, as_blocks(type));
    EXPECT_EQ(made.model.metadata.find("general.file_type")->uint(), file_type);
    for (const model::TensorEntry& tensor : source.tensors) {
      const model::TensorEntry& to = tensor_of(made.model, tensor.name);
      const bool vector = tensor.shape.rank() == 1;
      const bool whole = vector || tensor.shape[1] % tensor::block_of(dtype).elements == 0;
      const DType expected = whole ? in_file_of(dtype, tensor.name) : DType::Q8_0;
      EXPECT_EQ(to.dtype, vector ? DType::F32 : expected) << tensor.name;
      EXPECT_LT(relative_error(values_of(before, tensor), values_of(made.file, to)), most)
          << tensor.name << " " << type;
    }
  }
}

TEST(QuantizeGguf, NamesTensorsWithRowsThatAreNoWholeBlocks) {
  const Quantized made = quantized(with_weights(wide_llama(kF32)), as_blocks("q4_k"));
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_EQ(made.warnings[0].path, "blk.0.ffn_down.weight");
  EXPECT_EQ(made.warnings[0].message,
            "stored as q8_0: its rows of 288 numbers are no whole number of blocks of 256");
}

TEST(QuantizeGguf, KeepsWhatTheOptionsName) {
  Options options = as_blocks("q6_k");
  options.quantize->keep = {"blk.0.attn_q.weight"};
  options.quantize->keep_embeddings = options.quantize->keep_output = true;
  const File before = with_weights(wide_llama(kF32));
  const Quantized made = quantized(before, options);
  for (const char* name : {"blk.0.attn_q.weight", "token_embd.weight", "output.weight"}) {
    EXPECT_EQ(tensor_of(made.model, name).dtype, DType::F32) << name;
  }
  EXPECT_EQ(tensor_of(made.model, "blk.0.attn_k.weight").dtype, DType::Q6_K);
  options.quantize->keep = {"blk.9.attn_q.weight"};
  EXPECT_EQ(run(before, {}, options).error().path, "options.keep");
}

TEST(QuantizeGguf, RefusesOptionsThatBlocksHaveNoUseFor) {
  const File before = with_weights(wide_llama(kF32));
  Options options = as_blocks("q4_k");
  options.quantize->scale_type = DType::F32;
  EXPECT_EQ(run(before, {}, options).error().path, "options.scale");
  options = as_blocks("q4_k");
  options.quantize->block_size = 128;
  EXPECT_EQ(run(before, {}, options).error().path, "options.block");
  EXPECT_EQ(run(before, {}, as_blocks("iq4_xs")).error().message,
            "gguf cannot be stored as iq4_xs; it can as q8_0, q2_k, q3_k, q4_k, q5_k, q6_k");
  options = as_blocks("q8_0");
  options.quantize->activations = std::make_shared<model::DecoderActivations>();
  EXPECT_EQ(run(before, {}, options).error().path, "options.calibration");
}

// AMB has other codes and row orders; its GGUF has the same values as one made of the source.
TEST(QuantizeGguf, TakesAmb) {
  const File before = with_weights(wide_llama(kF32));
  const Quantized amb = quantized(before, to("amb"));
  const Quantized made = quantized(amb.file, as_blocks("q4_k"));
  const Quantized direct = quantized(before, as_blocks("q4_k"));
  for (const model::TensorEntry& tensor : direct.model.tensors) {
    const model::TensorEntry& other = tensor_of(made.model, tensor.name);
    EXPECT_EQ(other.dtype, tensor.dtype) << tensor.name;
    EXPECT_EQ(values_of(made.file, other), values_of(direct.file, tensor)) << tensor.name;
  }
  // Types of AMB whose blocks GGUF has no type for.
  Options eight = as_blocks("int8", "amb");
  eight.quantize->block_size = 128;
  const Quantized codes = quantized(amb.file, eight);
  const Quantized again = quantized(codes.file, as_blocks("q6_k"));
  EXPECT_EQ(tensor_of(again.model, "blk.0.attn_q.weight").dtype, DType::Q6_K);
  EXPECT_LT(relative_error(values_of(before, parsed(before, "gguf"), "blk.0.attn_q.weight"),
                           values_of(again.file, again.model, "blk.0.attn_q.weight")),
            0.03);
}

TEST(GgufOfKQuants, BecomesFloats) {
  for (const uint32_t type :
       {10U, 11U, 12U, 13U, 14U, 16U, 17U, 18U, 19U, 21U, 22U, 23U, 29U, 34U, 35U, 40U}) {
    const File before = with_weights(wide_llama(type));
    const model::Model source = parsed(before, "gguf");
    const auto refused = run(before, {}, to("amb"));
    ASSERT_FALSE(refused) << type;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    const Quantized made = quantized(before, to("amb", DType::F32));
    for (const auto& [from, name] :
         {std::pair{"blk.0.attn_v.weight", "model.layers.0.self_attn.v_proj.weight"},
          {"blk.0.ffn_gate.weight", "model.layers.0.mlp.gate_proj.weight"}}) {
      EXPECT_EQ(values_of(made.file, made.model, name), values_of(before, source, from)) << type;
    }
  }
}

TEST(GgufOfKQuants, IsQuantizedForAmbWithItsLossReported) {
  const File before = with_weights(wide_llama(14));
  const Quantized made = quantized(before, as_blocks("int8", "amb"));
  const char* name = "model.layers.0.mlp.gate_proj.weight";
  EXPECT_EQ(tensor_of(made.model, name).dtype, DType::Int8);
  EXPECT_LT(relative_error(values_of(before, parsed(before, "gguf"), "blk.0.ffn_gate.weight"),
                           values_of(made.file, made.model, name)),
            0.02);
  const auto warned = std::ranges::find(made.warnings, std::string(name), &Error::path);
  ASSERT_NE(warned, made.warnings.end());
  EXPECT_EQ(warned->message, "was quantized before, as q6_k; what that lost is not in the report");
}

// The output is the token embedding where there is no other.
TEST(QuantizeGguf, StoresTiedEmbeddingsAsOutputs) {
  gg::GgufMaker maker = wide_llama(kF32);
  std::erase_if(maker.tensors,
                [](const gg::Tensor& tensor) { return tensor.name == "output.weight"; });
  const Quantized made = quantized(with_weights(maker), as_blocks("q3_k"));
  EXPECT_EQ(tensor_of(made.model, "token_embd.weight").dtype, DType::Q6_K);
}

// Ones, but 100 for the first of 16 columns.
std::vector<float> some_columns(size_t n) {
  std::vector<float> columns(n, 1.0F);
  for (size_t i = 0; i < n; i += 16) columns[i] = 100;
  return columns;
}

std::shared_ptr<model::DecoderActivations> some_activations() {
  auto seen = std::make_shared<model::DecoderActivations>();
  seen->layers.push_back(
      {some_columns(256), some_columns(256), some_columns(256), some_columns(288)});
  seen->output = some_columns(256);
  return seen;
}

double weighted_error(const std::vector<float>& before, const std::vector<float>& after) {
  double sum = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    sum += (i % 16 == 0 ? 100 : 1) * std::pow(double{before[i]} - double{after[i]}, 2);
  }
  return sum;
}

// From GGUF and from AMB, with the same bits.
TEST(QuantizeGguf, WeighsErrorsByActivations) {
  const File before = with_weights(wide_llama(kF32));
  const model::Model source = parsed(before, "gguf");
  const Quantized amb = quantized(before, to("amb"));
  for (const char* type : {"q2_k", "q3_k", "q4_k", "q5_k", "q6_k"}) {
    Options options = as_blocks(type);
    const Quantized without = quantized(before, options);
    options.quantize->activations = some_activations();
    const Quantized with = quantized(before, options);
    const Quantized of_amb = quantized(amb.file, options);
    for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_output.weight",
                             "blk.0.ffn_gate.weight", "output.weight"}) {
      const std::vector<float> exact = values_of(before, source, name);
      const std::vector<float> weighed = values_of(with.file, with.model, name);
      EXPECT_LT(weighted_error(exact, weighed),
                0.9 * weighted_error(exact, values_of(without.file, without.model, name)))
          << name << " " << type;
      EXPECT_EQ(values_of(of_amb.file, of_amb.model, name), weighed) << name << " " << type;
    }
  }
}

TEST(QuantizeGguf, RefusesActivationsOfAnotherModel) {
  Options options = as_blocks("q3_k");
  const auto seen = some_activations();
  seen->layers[0].mlp.pop_back();
  options.quantize->activations = seen;
  const auto refused = run(with_weights(wide_llama(kF32)), {}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "options.calibration");
  EXPECT_EQ(refused.error().message,
            "the model that was run has no input for blk.0.ffn_gate.weight [288, 256]");
}

// Writers put a scale of the whole matrix beside it, and one of activations, which is not used.
gg::GgufMaker scaled_llama() {
  gg::GgufMaker maker = wide_llama(40);
  for (const char* name : {"blk.0.attn_q", "blk.0.ffn_gate"}) {
    maker.tensors.push_back({std::string(name) + ".scale", {1}, kF32});
    maker.tensors.push_back({std::string(name) + ".input_scale", {1}, kF32});
  }
  return maker;
}

std::vector<float> times(std::vector<float> values, float factor) {
  for (float& value : values) value *= factor;
  return values;
}

TEST(GgufOfNvfp4, IsMultipliedByItsScales) {
  const File before = with_weights(scaled_llama());
  const model::Model source = parsed(before, "gguf");
  const Quantized made = quantized(before, to("amb", DType::F32));
  const float scale = values_of(before, source, "blk.0.ffn_gate.scale")[0];
  EXPECT_EQ(values_of(made.file, made.model, "model.layers.0.mlp.gate_proj.weight"),
            times(values_of(before, source, "blk.0.ffn_gate.weight"), scale));
  EXPECT_EQ(values_of(made.file, made.model, "model.layers.0.self_attn.v_proj.weight"),
            values_of(before, source, "blk.0.attn_v.weight"));
}

TEST(GgufOfNvfp4, RunsWithItsScales) {
  const File before = with_weights(scaled_llama());
  const model::Model source = parsed(before, "gguf");
  io::Diagnostics found;
  const io::MemorySource bytes(before);
  const auto made = formats::gguf::to_run(bytes, source, found);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_TRUE(found.warnings.empty());
  for (const model::TensorEntry& tensor : made->tensors) {
    const char* scale = tensor.name.ends_with("gate_proj.weight") ? "blk.0.ffn_gate.scale"
                        : tensor.name.ends_with("q_proj.weight")  ? "blk.0.attn_q.scale"
                                                                  : nullptr;
    EXPECT_EQ(tensor.factor, scale == nullptr ? 1 : values_of(before, source, scale)[0])
        << tensor.name;
  }
}

// The scales are in the values then.
TEST(GgufOfNvfp4, IsQuantizedWithItsScales) {
  const File before = with_weights(scaled_llama());
  const model::Model source = parsed(before, "gguf");
  Options options = as_blocks("q6_k");
  options.quantize->keep = {"blk.0.attn_q.weight"};
  const Quantized made = quantized(before, options);
  const float scale = values_of(before, source, "blk.0.ffn_gate.scale")[0];
  EXPECT_LT(relative_error(times(values_of(before, source, "blk.0.ffn_gate.weight"), scale),
                           values_of(made.file, made.model, "blk.0.ffn_gate.weight")),
            0.03);
  std::vector<std::string> scales;
  for (const model::TensorEntry& tensor : made.model.tensors) {
    if (tensor.name.ends_with("scale")) scales.push_back(tensor.name);
  }
  EXPECT_EQ(scales, (std::vector<std::string>{"blk.0.attn_q.scale", "blk.0.attn_q.input_scale"}));
}

TEST(GgufOfNvfp4, RefusesScalesThatAreNoNumber) {
  gg::GgufMaker maker = scaled_llama();
  for (gg::Tensor& tensor : maker.tensors) {
    if (tensor.name == "blk.0.attn_q.scale") tensor.shape = {2};
  }
  const auto refused = run(with_weights(maker), {}, to("amb", DType::F32));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "blk.0.attn_q.scale");
  EXPECT_EQ(refused.error().message,
            "expected one f32 number for the whole of blk.0.attn_q.weight");
}

}  // namespace
}  // namespace ambry::convert
