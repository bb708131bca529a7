// The table of conversions: which kind of source becomes which format, and by what.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "convert/job.h"
#include "convert/options.h"
#include "convert/source_files.h"

namespace ambry::convert {

struct ConversionRow {
  std::string_view from;  // id of a format or an origin
  std::string_view to;    // id of a format
  BeginJob begin = nullptr;
};

[[nodiscard]] std::span<const ConversionRow> conversions();

// What the main source is: the id that the options state, or that its first bytes tell.
[[nodiscard]] Result<std::string_view> identify(const SourceFiles& sources, const Options& options);

// Unsupported when there is no row; a format to itself always has one.
[[nodiscard]] Result<ConversionRow> find_conversion(std::string_view from, const Options& options);

}  // namespace ambry::convert
