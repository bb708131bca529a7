#include "convert/quantizations.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/concat.h"
#include "convert/conversion_table.h"
#include "convert/finalfusion/finalfusion_rewrite.h"
#include "convert/plan/identify.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {
namespace {

using tensor::DType;

// Uses the conversion from the source to the target, which quantizes the matrices.
Result<std::unique_ptr<Job>> by_conversion(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(const ConversionRow row, find_conversion(from, options));
  return row.begin(sources, options);
}

template <DType dtype>
Result<std::unique_ptr<Job>> as_dtype(const SourceFiles& sources, const Options& options) {
  Options with_dtype = options;
  with_dtype.dtype = dtype;
  return by_conversion(sources, with_dtype);
}

constexpr std::array kOwnTypes = {
    QuantizationRow{"embd", "int8", as_dtype<DType::Int8>},
    QuantizationRow{"embd", "f16", as_dtype<DType::F16>},
    QuantizationRow{"embd", "bf16", as_dtype<DType::BF16>},
    QuantizationRow{"tinyruntime", "dq8", by_conversion},
    QuantizationRow{"tinyruntime", "sq8", by_conversion},
    QuantizationRow{"finalfusion", "pq", begin_product_quantization},
    QuantizationRow{"finalfusion", "opq", begin_product_quantization},
    QuantizationRow{"finalfusion", "gaussian_opq", begin_product_quantization},
};

// Every quantized type of AMB is a target.
constexpr auto kTypesOfAmb = tensor::dtypes_where<[](const tensor::DTypeRow& row) {
  return row.arrangement != tensor::Arrangement::None;
}>();

// GGUF's block types that floats can become.
constexpr auto kTypesOfGguf =
    tensor::dtypes_where<[](const tensor::DTypeRow& row) { return row.gguf && row.encoded; }>();

constexpr auto kQuantizations = [] {
  std::array<QuantizationRow, kOwnTypes.size() + kTypesOfAmb.size() + kTypesOfGguf.size()> rows{};
  auto* end = rows.begin();
  for (const DType dtype : kTypesOfAmb) {
    *end++ = {"amb", tensor::dtype_column<&tensor::DTypeRow::name>(dtype), by_conversion};
  }
  end = std::ranges::copy(kOwnTypes, end).out;
  for (const DType dtype : kTypesOfGguf) {
    *end++ = {"gguf", tensor::dtype_column<&tensor::DTypeRow::name>(dtype), by_conversion};
  }
  return rows;
}();

Failure no_row(std::string_view to, std::string_view type) {
  std::string known;
  std::string formats;
  std::string_view before;
  for (const QuantizationRow& row : kQuantizations) {
    if (row.to != before) formats += concat({formats.empty() ? "" : ", ", row.to});
    before = row.to;
    if (row.to != to) continue;
    if (!known.empty()) known += ", ";
    known += row.type;
  }
  if (known.empty()) {
    return make_error(ErrorCode::Unsupported, "options.to",
                      {to, " holds no quantized types; name a target that does: ", formats});
  }
  return make_error(ErrorCode::BadValue, "options.type",
                    {to, " cannot be stored as ", type, "; it can as ", known});
}

}  // namespace

std::span<const QuantizationRow> quantizations() { return kQuantizations; }

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
  const auto* found = std::ranges::find(kTypesOfAmb, type, tensor::dtype_name);
  return found == kTypesOfAmb.end() ? std::nullopt : std::optional(*found);
}

}  // namespace ambry::convert
