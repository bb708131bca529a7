// What a source can become: every row of the table tried, so that nobody is offered what then
// fails.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "convert/options.h"
#include "convert/source_files.h"

namespace ambry::convert {

struct Target {
  std::string_view to;            // id of a format
  std::optional<Error> obstacle;  // why this source cannot become it, although its kind can
};

struct Targets {
  std::string_view from;  // id of a format or an origin
  std::vector<Target> targets;
};

// With the conversion's options except `to`. Reads what beginning the conversions reads; NeedBytes
// as there.
[[nodiscard]] Result<Targets> find_targets(const SourceFiles& sources, Options options);

}  // namespace ambry::convert
