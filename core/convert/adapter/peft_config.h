// The settings of a LoRA adapter (Hu et al., "LoRA", 2021) as the library PEFT writes them:
// adapter_config.json.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"

namespace ambry::convert {

struct PeftConfig {
  // By the end of a module's name; other values than the usual ones.
  using Exceptions = std::vector<std::pair<std::string, double>>;

  double rank = 0;
  double alpha = 0;
  Exceptions ranks;
  Exceptions alphas;
  bool root_scale = false;      // alpha is divided by the root of the rank, not by the rank
  bool fan_in_fan_out = false;  // the base stores its matrices as [in, out]

  [[nodiscard]] double rank_of(std::string_view module) const;
  // The factor of the product that is added to the weight of this module.
  [[nodiscard]] double scale_of(std::string_view module) const;
};

// Reads the side file with this name. Errors name it, the setting and its byte: NotFound without
// the file; Unsupported for other kinds of adapters, and for settings that change more than a
// product of two matrices.
[[nodiscard]] Result<PeftConfig> read_peft_config(const formats::huggingface::SideFiles& files,
                                                  const std::string& name);

}  // namespace ambry::convert
