#include "convert/decoder/stated_biases.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/concat.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

struct StatedBias {
  const char* key;
  std::string_view matrix;
};
constexpr auto kBiases = std::to_array<StatedBias>({{"conv_bias", ".conv.in_proj"},
                                                    {"conv_bias", ".conv.conv"},
                                                    {"conv_bias", ".conv.out_proj"},
                                                    {"mamba_conv_bias", ".mamba.conv1d"},
                                                    {"mamba_proj_bias", ".mamba.in_proj"},
                                                    {"use_conv_bias", ".mixer.conv1d"},
                                                    {"use_bias", ".mixer.in_proj"},
                                                    {"attention_bias", ".self_attn.o_proj"},
                                                    {"attention_bias", ".mixer.o_proj"}});

// Architectures whose code gives this switch no meaning for the output of attention.
constexpr auto kWithoutOutputBias = std::to_array<std::string_view>(
    {"qwen2", "qwen2_moe", "mistral", "ministral3", "phi3", "helium", "exaone4", "stablelm"});

bool is_on(const io::Json& stated, const char* key) {
  const io::Json* value = stated.find(key);
  return value != nullptr && value->is_bool() && value->boolean();
}

}  // namespace

Result<void> check_stated_biases(const io::Json& stated, const SourceModel& source) {
  const auto type = model::metadata_text(stated, "model_type").value_or("");
  const bool has_output = std::ranges::find(kWithoutOutputBias, type) == kWithoutOutputBias.end();
  for (const auto& [key, matrix] : kBiases) {
    if (!is_on(stated, key) || (matrix == ".self_attn.o_proj" && !has_output)) continue;
    const std::string ending = concat({matrix, ".weight"});
    for (const model::TensorEntry& tensor : source.model.tensors) {
      if (!tensor.name.ends_with(ending)) continue;
      const std::string_view name = tensor.name;
      const std::string bias =
          concat({name.substr(0, name.size() - ending.size()), matrix, ".bias"});
      if (find_tensor(source.model, bias) != nullptr) continue;
      return model::metadata_error(stated, key, ErrorCode::NotFound,
                                   {"turned on, but the tensor ", bias, " is missing"},
                                   "config.json");
    }
  }
  return {};
}

}  // namespace ambry::convert
