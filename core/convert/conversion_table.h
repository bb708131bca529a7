// The table of conversions: the source format, the target format, and the function that begins the
// job.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/job.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

struct ConversionRow {
  std::string_view from;  // id of a format or an import format
  std::string_view to;    // id of a format
  BeginJob begin = nullptr;
};

[[nodiscard]] std::span<const ConversionRow> conversions();

// The conversions of ONNX files: conversions() in the module that reads them.
[[nodiscard]] std::span<const ConversionRow> onnx_conversions();

// Unsupported when there is no row. Every format can be converted to itself.
[[nodiscard]] Result<ConversionRow> find_conversion(std::string_view from, const Options& options);

}  // namespace ambry::convert
