// How config.json says that a library has quantized the weights.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

struct StatedQuantization {
  std::string place;   // such as `config.json.quantization_config`
  std::string method;  // as quant_method states it; `mlx` for MLX, which states none
  io::Json settings;
};

// Nothing where the weights are not quantized. Unsupported, at the key that says so, for a library
// whose weights are not read here (core/convert/checkpoint_quantization has the code for each), and
// for two libraries at once.
[[nodiscard]] Result<std::optional<StatedQuantization>> stated_quantization(
    const FileValues& values);

}  // namespace ambry::formats::huggingface
