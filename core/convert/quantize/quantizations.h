// The table of quantisations: which types each format can be stored in, and by what.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "convert/job.h"
#include "convert/options.h"
#include "convert/source_files.h"

namespace ambry::convert {

struct QuantizationRow {
  std::string_view to;  // id of a format
  std::string_view type;
  BeginJob begin = nullptr;
};

[[nodiscard]] std::span<const QuantizationRow> quantizations();

// For options that ask for a quantisation. Without a target's format it is the source's. BadValue
// for a type that the target's format does not have, naming those that it has.
[[nodiscard]] Result<std::unique_ptr<Job>> begin_quantization(const SourceFiles& sources,
                                                              const Options& options);

// AMB's type of this name; what a plan's matrices become.
[[nodiscard]] std::optional<tensor::DType> amb_quantized_type(std::string_view type);

}  // namespace ambry::convert
