// Reads a model to run it. Any fault in the file is then an error.
#pragma once

#include <span>

#include "base/result.h"
#include "formats/registry.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::api {

// `candidates` are the formats that can be run. NeedBytes while bytes are missing.
[[nodiscard]] Result<model::Model> parse_to_run(const io::Source& source,
                                                std::span<const formats::Format> candidates);

}  // namespace ambry::api
