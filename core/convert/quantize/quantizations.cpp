#include "convert/quantize/quantizations.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "convert/conversion_table.h"
#include "convert/finalfusion/finalfusion_rewrite.h"

namespace ambry::convert {
namespace {

using tensor::DType;

// By the source's conversion to the target, which quantises what it writes.
Result<std::unique_ptr<Job>> by_conversion(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(const ConversionRow row, find_conversion(from, options));
  return row.begin(sources, options);
}

template <TargetDType dtype>
Result<std::unique_ptr<Job>> as_dtype(const SourceFiles& sources, const Options& options) {
  Options with_dtype = options;
  with_dtype.dtype = dtype;
  return by_conversion(sources, with_dtype);
}

constexpr std::array kQuantizations = {
    QuantizationRow{"embd", "int8", as_dtype<TargetDType::Int8>},
    QuantizationRow{"embd", "f16", as_dtype<TargetDType::F16>},
    QuantizationRow{"embd", "bf16", as_dtype<TargetDType::BF16>},
    QuantizationRow{"amb", "int8", by_conversion},
    QuantizationRow{"amb", "int4", by_conversion},
    QuantizationRow{"amb", "int5", by_conversion},
    QuantizationRow{"amb", "int4_block", by_conversion},
    QuantizationRow{"amb", "int5_block", by_conversion},
    QuantizationRow{"amb", "adaptive", by_conversion},
    QuantizationRow{"tinyruntime", "dq8", by_conversion},
    QuantizationRow{"tinyruntime", "sq8", by_conversion},
    QuantizationRow{"finalfusion", "pq", begin_product_quantization},
    QuantizationRow{"finalfusion", "opq", begin_product_quantization},
    QuantizationRow{"finalfusion", "gaussian_opq", begin_product_quantization},
};

Failure no_row(std::string_view to, std::string_view type) {
  std::string known;
  for (const QuantizationRow& row : kQuantizations) {
    if (row.to != to) continue;
    if (!known.empty()) known += ", ";
    known += row.type;
  }
  if (known.empty()) {
    return make_error(ErrorCode::Unsupported, "options.to",
                      {"no quantisation to ", to, " is known here"});
  }
  return make_error(ErrorCode::BadValue, "options.type",
                    {to, " cannot be stored as ", type, "; it can as ", known});
}

}  // namespace

Result<std::unique_ptr<Job>> begin_quantization(const SourceFiles& sources,
                                                const Options& options) {
  Options asked = options;
  if (asked.to.empty()) {
    AMBRY_TRY(asked.to, identify(sources, options));
  }
  const auto row = std::ranges::find_if(kQuantizations, [&](const QuantizationRow& known) {
    return known.to == asked.to && known.type == asked.quantize->type;
  });
  if (row == kQuantizations.end()) return no_row(asked.to, asked.quantize->type);
  return row->begin(sources, asked);
}

std::optional<DType> amb_quantized_type(std::string_view type) {
  for (const DType dtype : {DType::Int8, DType::Int4, DType::Int5, DType::Int4Block,
                            DType::Int5Block, DType::Adaptive}) {
    if (dtype_name(dtype) == type) return dtype;
  }
  return std::nullopt;
}

}  // namespace ambry::convert
