// What is wrong with the experts of a directory, by name.
#include <gtest/gtest.h>

#include <string>

#include "convert/decoder/decoder_directory.h"
#include "convert/decoder/expert_directory.h"

namespace ambry::convert {
namespace {

using testing::DecoderDirectory;
using testing::File;
using testing::numbers_of;
using testing::read_strictly;
using testing::ReadBack;
using testing::to;

constexpr const char* kSparseQwen = R"({"model_type":"qwen3_moe","vocab_size":10,"hidden_size":8,
  "num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":4,
  "intermediate_size":12,"moe_intermediate_size":6,"num_experts":4,"num_experts_per_tok":2,
  "max_position_embeddings":32})";

Error expert_refusal(const DecoderDirectory& directory) {
  const auto made = testing::run(directory.weights(), directory.files, to("amb"));
  EXPECT_FALSE(made);
  return made ? Error() : made.error();
}

TEST(ExpertTensors, ThatAreMissingAreNamed) {
  auto directory = DecoderDirectory::make(kSparseQwen, "model.");
  std::erase_if(directory.tensors, [](const auto& tensor) {
    return tensor.name == "model.layers.1.mlp.experts.3.down_proj.weight";
  });
  const Error error = expert_refusal(directory);
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_NE(describe(error).find("layers.1.mlp.experts.3.down_proj.weight"), std::string::npos)
      << describe(error);
}

TEST(ExpertTensors, OfAnotherShapeAreNamed) {
  auto directory = DecoderDirectory::make(kSparseQwen, "model.");
  for (auto& tensor : directory.tensors) {
    if (tensor.name == "model.layers.0.mlp.experts.2.up_proj.weight") tensor.shape = {8, 6};
  }
  const Error error = expert_refusal(directory);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_NE(describe(error).find("layers.0.mlp.experts.2.up_proj.weight"), std::string::npos)
      << describe(error);
}

TEST(ExpertTensors, OfOneTensorMustBeAsManyAsStated) {
  auto directory = DecoderDirectory::make(kSparseQwen, "model.");
  testing::publish_experts(kSparseQwen, directory.tensors);
  for (auto& tensor : directory.tensors) {
    if (tensor.name == "model.layers.1.mlp.experts.gate_up_proj") tensor.shape = {2, 24, 8};
  }
  const Error error = expert_refusal(directory);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_EQ(error.path, "model.layers.1.mlp.experts.gate_up_proj");
  EXPECT_NE(error.message.find("4 experts"), std::string::npos) << error.message;
}

TEST(ExpertTensors, BeyondThoseOfTheConfigAreNotLeftOut) {
  auto directory = DecoderDirectory::make(kSparseQwen, "model.");
  directory.add("model.layers.0.mlp.experts.4.up_proj.weight", {6, 8});
  const Error error = expert_refusal(directory);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(describe(error).find("experts.4.up_proj"), std::string::npos) << describe(error);
}

// Sizes that are whole blocks of 32.
constexpr const char* kWideQwen = R"({"model_type":"qwen3_moe","vocab_size":10,"hidden_size":64,
  "num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":32,
  "intermediate_size":64,"moe_intermediate_size":32,"num_experts":3,"num_experts_per_tok":2,
  "norm_topk_prob":true,"max_position_embeddings":32})";

Options quantized_to(const char* format, const char* type) {
  Options options = to(format);
  options.quantize.emplace().type = type;
  return options;
}

// Every value of each expert, and the router as it was.
void expect_experts(const ReadBack& model, const DecoderDirectory& directory, float tolerance) {
  for (const auto& tensor : directory.tensors) {
    if (tensor.name.find(".mlp.") == std::string::npos) continue;
    const bool router = tensor.name.ends_with(".mlp.gate.weight");
    const auto before = numbers_of(tensor.name, tensor.data.size() / sizeof(float));
    const auto after = model.floats(tensor.name);
    ASSERT_EQ(after.size(), before.size()) << tensor.name;
    for (size_t i = 0; i < before.size(); ++i) {
      ASSERT_NEAR(after[i], before[i], router ? 0 : tolerance) << tensor.name << " " << i;
    }
  }
}

TEST(ExpertTensors, SurviveQuantizationAndTheWayBack) {
  const auto directory = DecoderDirectory::make(kWideQwen, "model.");
  const auto run_strictly = [](const File& from, const Options& options) {
    return read_strictly(testing::run(from, SideFiles(), options), options.to);
  };
  const ReadBack amb =
      read_strictly(testing::run(directory.weights(), directory.files, to("amb")), "amb");
  const ReadBack gguf = run_strictly(amb.file, quantized_to("gguf", "q8_0"));
  const model::TensorEntry* up = gguf.model.find("blk.0.ffn_up_exps.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->shape, (tensor::Shape{3, 32, 64}));
  EXPECT_EQ(up->dtype, tensor::DType::Q8_0);
  EXPECT_EQ(gguf.model.find("blk.0.ffn_gate_inp.weight")->dtype, tensor::DType::F32);
  // Numbers up to 32 in steps of 32 / 127.
  const ReadBack back = run_strictly(gguf.file, to("amb", tensor::DType::F32));
  expect_experts(back, directory, 0.13F);
  // Codes and scales apart become blocks again.
  const ReadBack codes = run_strictly(gguf.file, to("amb"));
  const ReadBack again = run_strictly(codes.file, to("gguf"));
  expect_experts(run_strictly(again.file, to("amb", tensor::DType::F32)), directory, 0.26F);
  const ReadBack small = run_strictly(amb.file, quantized_to("amb", "int8"));
  expect_experts(run_strictly(small.file, to("amb", tensor::DType::F32)), directory, 0.13F);
}

}  // namespace
}  // namespace ambry::convert
