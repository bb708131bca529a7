// Finds what a source can be converted to, by trying each row of the table. So nobody is offered a
// conversion that then fails.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

struct Target {
  std::string_view to;            // id of a format
  std::optional<Error> obstacle;  // why this source cannot be converted, although its format can
};

struct Targets {
  std::string_view from;  // id of a format or an import format
  std::vector<Target> targets;
};

// The formats that this source format can be converted to: those of the table's rows, and the
// format itself if it can be written.
[[nodiscard]] std::vector<std::string_view> targets_of(std::string_view from);

// Takes the options of a conversion; `to` is ignored. Reads what the beginning of each conversion
// reads, and returns NeedBytes in the same way.
[[nodiscard]] Result<Targets> find_targets(const SourceFiles& sources, Options options);

}  // namespace ambry::convert
