// Ranges of a file to fetch, as JSON [[offset, size]].
#pragma once

#include <string>
#include <vector>

#include "infer/words/stored_rows.h"

namespace ambry::api {

[[nodiscard]] std::string ranges_text(const std::vector<infer::FileRange>& ranges);

}  // namespace ambry::api
