#include "convert/checkpoint_quantization/take_quantization.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "convert/checkpoint_quantization/methods.h"
#include "formats/huggingface/config/stated_quantization.h"
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

// One line for all matrices that are decoded for the same reason.
void note_decoded(const std::string& place, SourceModel& source) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> reasons;  // matrices and their bytes
  for (const PackedMatrix& matrix : source.decoded->matrices) {
    if (matrix.why_decoded.empty()) continue;
    auto& [count, bytes] = reasons[concat({matrix.method, ": ", matrix.why_decoded})];
    ++count;
    bytes += matrix.entry.bytes;
  }
  for (const auto& [reason, sums] : reasons) {
    source.warnings.push_back(
        make_error(ErrorCode::Unsupported, place,
                   {counted(sums.first, "tensor"), " decoded to f32 without loss, ", sums.second,
                    " bytes, because no quantized type holds the same numbers (", reason, ")"}));
  }
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
  note_decoded(stated->place, source);
  return {};
}

}  // namespace ambry::convert
