// The table of quantizations: the types of each format, and the functions that begin the jobs.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/job.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

struct QuantizationRow {
  std::string_view to;  // id of a format
  std::string_view type;
  BeginJob begin = nullptr;
};

[[nodiscard]] std::span<const QuantizationRow> quantizations();

// Begins a quantization. Without a target format it is the source's format. BadValue for a type
// that the target format does not have; the message names its types.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_quantization(const SourceFiles& sources,
                                                              const Options& options);

// The AMB type with this name.
[[nodiscard]] std::optional<tensor::DType> amb_quantized_type(std::string_view type);

}  // namespace ambry::convert
