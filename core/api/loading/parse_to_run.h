// Reads a model that is to be run: whatever is wrong with it is an error then.
#pragma once

#include <span>

#include "base/result.h"
#include "formats/registry.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::api {

// `candidates` are the formats that can be run. NeedBytes while the held parts do not suffice.
[[nodiscard]] Result<model::Model> parse_to_run(const io::Source& source,
                                                std::span<const formats::Format> candidates);

}  // namespace ambry::api
