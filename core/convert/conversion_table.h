// The table of conversions: the source format, the target format, and the function that begins the
// job.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "convert/job.h"
#include "convert/options.h"
#include "convert/source_files.h"

namespace ambry::convert {

struct ConversionRow {
  std::string_view from;  // id of a format or an import format
  std::string_view to;    // id of a format
  BeginJob begin = nullptr;
};

[[nodiscard]] std::span<const ConversionRow> conversions();

// The id of the main source's format: from the options, else from its first bytes.
[[nodiscard]] Result<std::string_view> identify(const SourceFiles& sources, const Options& options);

// Unsupported when there is no row. Every format can be converted to itself.
[[nodiscard]] Result<ConversionRow> find_conversion(std::string_view from, const Options& options);

// Unsupported when Options::lowercase is set for another source than a directory that becomes EMBD:
// every other one says what its tokenizer does with texts, or has none.
[[nodiscard]] Result<void> check_lowercase(std::string_view from, const Options& options);
// NotFound when options.task is set for another source than a directory that becomes EMBD.
[[nodiscard]] Result<void> check_task(std::string_view from, const Options& options);
// Unsupported when options.dim is set for files that cannot be static encoders which become EMBD.
[[nodiscard]] Result<void> check_dim(std::string_view from, const Options& options);
// The error of options.dim for a source that is no static encoder.
[[nodiscard]] Failure cannot_be_cut();

}  // namespace ambry::convert
