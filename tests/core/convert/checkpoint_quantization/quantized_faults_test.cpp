// Damages directories of quantized weights in one place each.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "convert/checkpoint_quantization/quantized_fixture.h"

namespace ambry::convert {
namespace {

using testing::directory_of;
using testing::quantized_case;
using testing::QuantizedCase;
using testing::to;

constexpr const char* kModule = "model.layers.0.mlp.up_proj";

struct Fault {
  const char* name;
  const char* of;  // the case that is damaged
  std::function<void(QuantizedCase&)> damage;
  ErrorCode code;
  std::string path;
  const char* said;
};

std::function<void(QuantizedCase&)> without(const char* ending) {
  return [=](QuantizedCase& from) {
    std::erase_if(from.tensors, [&](const auto& tensor) { return tensor.name.ends_with(ending); });
  };
}

// Sets a key of `quantization_config`, or of MLX's `quantization`.
std::function<void(QuantizedCase&)> with(const char* key, const char* json,
                                         const char* section = "quantization_config") {
  return [=](QuantizedCase& from) {
    io::Json settings = *from.config.find(section);
    settings.set(key, *io::parse_json(json));
    from.config.set(section, settings);
  };
}

// A number of 4 bytes in a tensor.
std::function<void(QuantizedCase&)> with_word(const char* ending, size_t at, uint32_t value) {
  return [=](QuantizedCase& from) {
    std::memcpy(from.tensor(ending).data.data() + 4 * at, &value, sizeof(value));
  };
}

std::function<void(QuantizedCase&)> with_half(const char* ending, size_t at, uint16_t value) {
  return [=](QuantizedCase& from) {
    std::memcpy(from.tensor(ending).data.data() + 2 * at, &value, sizeof(value));
  };
}

std::function<void(QuantizedCase&)> reshaped(const char* ending, std::vector<uint64_t> shape,
                                             size_t bytes) {
  return [=](QuantizedCase& from) {
    auto& tensor = from.tensor(ending);
    tensor.shape = shape;
    tensor.data.resize(bytes);
  };
}

std::function<void(QuantizedCase&)> with_groups_that_differ() {
  return [](QuantizedCase& from) {
    io::Json settings = *from.config.find("quantization_config");
    io::Json groups = *settings.find("config_groups");
    io::Json second = *groups.find("group_0");
    io::Json weights = *second.find("weights");
    weights.set("num_bits", 8U);
    second.set("weights", weights);
    groups.set("group_1", second);
    settings.set("config_groups", groups);
    from.config.set("quantization_config", settings);
  };
}

const std::string kOf = std::string(kModule) + ".";
const std::string kConfig = "config.json.quantization_config";

const Fault kFaults[] = {
    {"MlxScales", "mlx_4bit", without("up_proj.scales"), ErrorCode::NotFound, kOf + "scales",
     "the scales of"},
    {"MlxBiases", "mlx_4bit", without("up_proj.biases"), ErrorCode::NotFound, kOf + "biases",
     "are missing"},
    {"MlxMode", "mlx_4bit", with("mode", R"("mxfp4")", "quantization"), ErrorCode::Unsupported,
     "config.json.quantization.mode", "mxfp4"},
    {"MlxBits", "mlx_4bit", with("bits", "7", "quantization"), ErrorCode::Unsupported,
     "config.json.quantization.bits", "2, 3, 4, 5, 6, 8"},
    {"MlxGroups", "mlx_4bit", with("group_size", "32", "quantization"), ErrorCode::Mismatch,
     kOf + "scales", "groups have 32 columns"},
    {"TwoLibraries", "mlx_4bit",
     [](QuantizedCase& from) {
       from.config.set("quantization_config", *io::parse_json(R"({"quant_method":"gptq"})"));
     },
     ErrorCode::Unsupported, kConfig, "by MLX and by gptq"},
    {"UnknownMethod", "gptq_4bit", with("quant_method", R"("hqq")"), ErrorCode::Unsupported,
     kConfig, "by hqq"},
    {"GptqScales", "gptq_4bit", without("scales"), ErrorCode::NotFound, kOf + "scales",
     "are missing"},
    {"GptqZeros", "gptq_4bit", without("qzeros"), ErrorCode::NotFound, kOf + "qzeros",
     "are missing"},
    {"GptqBits", "gptq_4bit", with("bits", "5"), ErrorCode::Unsupported, kConfig + ".bits",
     "2, 3, 4, 8"},
    {"GptqGroups", "gptq_4bit", with("group_size", "16"), ErrorCode::Mismatch, kOf + "scales",
     "6 groups of 16"},
    {"GptqMixed", "gptq_4bit", with("dynamic", R"({"+:.*": {"bits": 8}})"), ErrorCode::Unsupported,
     kConfig + ".dynamic", "mixed"},
    {"GptqFormat", "gptq_4bit", with("checkpoint_format", R"("marlin")"), ErrorCode::Unsupported,
     kConfig + ".checkpoint_format", "marlin"},
    {"GptqGroupOutOfRange", "gptq_desc_act", with_word("g_idx", 7, 3), ErrorCode::BadValue,
     kOf + "g_idx, column 7", "there are 3 groups"},
    {"GptqNegativeGroup", "gptq_desc_act", with_word("g_idx", 95, UINT32_MAX), ErrorCode::BadValue,
     kOf + "g_idx, column 95", "there are 3 groups"},
    {"GptqScattered", "gptq_4bit", with_word("g_idx", 5, 2), ErrorCode::Mismatch,
     kOf + "g_idx, column 5", "desc_act is false"},
    {"GptqWithoutGroups", "gptq_desc_act", without("g_idx"), ErrorCode::NotFound, kOf + "g_idx",
     "desc_act"},
    {"GptqZeroPoint", "gptq_4bit", with_word("qzeros", 0, 0), ErrorCode::BadValue,
     kOf + "qzeros, row 0", "leaves -8 to 7"},
    {"GptqScaleNotFinite", "gptq_4bit", with_half("scales", 41, 0x7C00), ErrorCode::BadValue,
     kOf + "scales, number 41", "not a finite number"},
    {"AwqLayout", "awq_4bit", with("version", R"("gemv")"), ErrorCode::Unsupported,
     kConfig + ".version", "gemv"},
    {"AwqZeros", "awq_4bit", without("qzeros"), ErrorCode::NotFound, kOf + "qzeros", "are missing"},
    {"AwqGroups", "awq_4bit", with("group_size", "64"), ErrorCode::Mismatch, kOf + "scales",
     "2 groups of 64"},
    {"CompressedMixed", "compressed_4bit", with_groups_that_differ(), ErrorCode::Unsupported,
     kConfig + ".config_groups", "group_1"},
    {"CompressedScale", "compressed_4bit", without("weight_scale"), ErrorCode::NotFound,
     kOf + "weight_scale", "are missing"},
    {"CompressedShape", "compressed_4bit", without("weight_shape"), ErrorCode::NotFound,
     kOf + "weight_shape", "are missing"},
    {"CompressedOtherShape", "compressed_4bit", with_word("weight_shape", 2, 104),
     ErrorCode::Mismatch, kOf + "weight_packed", "weight_shape is [40, 104]"},
    {"CompressedGroups", "compressed_4bit", reshaped("weight_scale", {40, 2}, 160),
     ErrorCode::Mismatch, kOf + "weight_scale", "groups of 1 by 32"},
    {"CompressedZeros", "compressed_4bit_asymmetric", without("weight_zero_point"),
     ErrorCode::NotFound, kOf + "weight_zero_point", "are missing"},
    {"Fp8Scale", "fp8_blocks", without("weight_scale_inv"), ErrorCode::NotFound,
     kOf + "weight_scale", "are missing"},
    {"Fp8Blocks", "fp8_blocks", with("weight_block_size", "[32, 64]"), ErrorCode::Mismatch,
     kOf + "weight_scale_inv", "groups of 32 by 64"},
    {"Fp8BlockOfNothing", "fp8_blocks", with("weight_block_size", "[0, 64]"), ErrorCode::BadValue,
     kConfig + ".weight_block_size", "above 0"},
    {"Fp8NotANumber", "fp8_blocks",
     [](QuantizedCase& from) { from.tensor(".weight").data[100] = '\x7F'; }, ErrorCode::BadValue,
     kOf + "weight, row 1", "not a finite number"},
    {"Nf4State", "bitsandbytes_nf4", without("bitsandbytes__nf4"), ErrorCode::NotFound,
     kOf + "weight.quant_state.bitsandbytes__nf4", "block size"},
    {"Nf4Scales", "bitsandbytes_nf4", without("absmax"), ErrorCode::NotFound, kOf + "weight.absmax",
     "are missing"},
    {"Nf4ScalesOfScales", "bitsandbytes_nf4_nested", without("nested_absmax"), ErrorCode::NotFound,
     kOf + "weight.nested_absmax", "are missing"},
    {"Nf4ScaleCount", "bitsandbytes_nf4", reshaped("absmax", {56}, 224), ErrorCode::Mismatch,
     kOf + "weight.absmax", "blocks of 64"},
    {"Int8Scales", "bitsandbytes_int8", without("SCB"), ErrorCode::NotFound, kOf + "SCB",
     "are missing"},
    {"NothingIsQuantized", "bitsandbytes_int8",
     [](QuantizedCase& from) {
       from.tensors.clear();
       from.tensors.push_back({kOf + "weight", "F32", {40, 96}, std::string(40 * 96 * 4, '\0')});
     },
     ErrorCode::NotFound, kConfig + ".quant_method", "no tensor is"}};

class QuantizedFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(QuantizedFaults, AreNamed) {
  QuantizedCase damaged = quantized_case(GetParam().of);
  testing::DecoderDirectory directory = directory_of(damaged);
  GetParam().damage(damaged);
  // The config of an unknown method has no facts to make a directory of.
  io::Json config = *io::parse_json(*directory.files.find("config.json"));
  for (const auto& [key, value] : damaged.config.members()) config.set(key, value);
  directory.files.add("config.json", config.dump());
  std::erase_if(directory.tensors, [](const auto& tensor) { return tensor.name.starts_with(kOf); });
  for (const auto& tensor : damaged.tensors) directory.tensors.push_back(tensor);
  const auto refused = testing::run(directory.weights(), directory.files, to("amb"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, GetParam().code) << describe(refused.error());
  EXPECT_EQ(refused.error().path, GetParam().path) << describe(refused.error());
  EXPECT_NE(refused.error().message.find(GetParam().said), std::string::npos)
      << describe(refused.error());
}

INSTANTIATE_TEST_SUITE_P(Directories, QuantizedFaults, ::testing::ValuesIn(kFaults),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ambry::convert
