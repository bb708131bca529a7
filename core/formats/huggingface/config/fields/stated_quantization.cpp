#include "formats/huggingface/config/fields/stated_quantization.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/concat.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

// MLX writes the first key, and later versions of it both.
constexpr const char* kOfMlx = "quantization";
constexpr const char* kOfOthers = "quantization_config";

struct Quantizer {
  std::string_view method;  // as quant_method states it
  std::string_view name;
  bool opens = true;
};
constexpr auto kQuantizers =
    std::to_array<Quantizer>({{"mlx", "MLX"},
                              {"gptq", "GPTQ"},
                              {"awq", "AWQ"},
                              {"bitsandbytes", "bitsandbytes"},
                              {"fp8", "FP8"},
                              {"fbgemm_fp8", "FP8 (fbgemm)"},
                              {"compressed-tensors", "compressed-tensors (llm-compressor)"},
                              {"mxfp4", "MXFP4", false},
                              {"modelopt", "NVIDIA's ModelOpt", false}});

const Quantizer* quantizer_of(std::string_view method) {
  const auto* known = std::ranges::find(kQuantizers, method, &Quantizer::method);
  return known == kQuantizers.end() ? nullptr : known;
}

// Empty where the settings do not tell.
std::string method_of(const Json& settings) {
  std::string method(model::metadata_text(settings, "quant_method").value_or(""));
  if (!method.empty()) return method;
  for (const char* key : {"load_in_4bit", "load_in_8bit"}) {
    if (settings.find(key) != nullptr) return "bitsandbytes";
  }
  return settings.find("group_size") != nullptr ? "mlx" : "";
}

}  // namespace

Result<std::optional<StatedQuantization>> stated_quantization(const FileValues& values) {
  const Json& json = values.json();
  const bool of_mlx = model::has_value(json, kOfMlx);
  if (!of_mlx && !model::has_value(json, kOfOthers)) return std::optional<StatedQuantization>();
  const char* const key = of_mlx ? kOfMlx : kOfOthers;
  StatedQuantization stated{concat({values.file(), ".", key}), "", *json.find(key)};
  stated.method = of_mlx ? "mlx" : method_of(stated.settings);
  const Quantizer* known = quantizer_of(stated.method);
  if (known == nullptr || !known->opens) {
    const std::string_view name = known != nullptr        ? known->name
                                  : stated.method.empty() ? "a way that is not stated"
                                                          : std::string_view(stated.method);
    return values.fail(key, ErrorCode::Unsupported,
                       {"the weights are quantized by ", name,
                        "; take the model that they were made of, or a GGUF of it"});
  }
  const Json* second = of_mlx ? json.find(kOfOthers) : nullptr;
  const std::string other = second == nullptr ? "" : method_of(*second);
  if (!other.empty() && other != "mlx") {
    return values.fail(kOfOthers, ErrorCode::Unsupported,
                       {"the weights are quantized by MLX and by ", other,
                        "; take a model that one library has quantized"});
  }
  return std::optional(std::move(stated));
}

}  // namespace ambry::formats::huggingface
