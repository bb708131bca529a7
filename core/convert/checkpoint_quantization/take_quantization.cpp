#include "convert/checkpoint_quantization/take_quantization.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "convert/checkpoint_quantization/methods.h"
#include "convert/checkpoint_quantization/placed_matrices.h"
#include "formats/huggingface/config/fields/stated_quantization.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::convert {
namespace {

namespace huggingface = formats::huggingface;

struct MethodRow {
  std::string_view method;  // as quant_method states it
  TakeMatrices* take;
};
constexpr std::array kMethods = {MethodRow{"mlx", take_mlx},
                                 MethodRow{"gptq", take_gptq},
                                 MethodRow{"awq", take_awq},
                                 MethodRow{"compressed-tensors", take_compressed_tensors},
                                 MethodRow{"fp8", take_fp8},
                                 MethodRow{"fbgemm_fp8", take_fp8},
                                 MethodRow{"bitsandbytes", take_bitsandbytes}};

// Models that take more than text may state the quantization beside the config of their text part,
// or in it.
Result<std::optional<huggingface::StatedQuantization>> stated_anywhere(const std::string& config,
                                                                       const io::Json& json) {
  AMBRY_TRY(auto stated, huggingface::stated_quantization({config, json}));
  const io::Json* text = json.find("text_config");
  if (stated || text == nullptr || !text->is_object()) return stated;
  return huggingface::stated_quantization({config + ".text_config", *text});
}

}  // namespace

Result<void> take_quantization(const SourceFiles& sources, const std::string& config,
                               bool keeps_codes, SourceModel& source) {
  AMBRY_TRY(const auto json, huggingface::read_json_file(sources.side(), config));
  if (!json) return {};
  AMBRY_TRY(const auto stated, stated_anywhere(config, *json));
  if (!stated) return {};
  const auto* row =
      std::ranges::find(kMethods, std::string_view(stated->method), &MethodRow::method);
  QuantizedTensors tensors(sources, *stated, source);
  AMBRY_RETURN_IF_ERROR(row->take(tensors, keeps_codes));
  AMBRY_RETURN_IF_ERROR(tensors.finish());
  warn_of_decoded(stated->place, source);
  return {};
}

}  // namespace ambry::convert
