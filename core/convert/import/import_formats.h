// File formats that can only be converted from and to. They are not in the registry, because
// nothing else is done with them.
#pragma once

#include <span>

#include "base/result.h"
#include "formats/registry.h"
#include "io/source.h"

namespace ambry::convert {

struct ImportFormat {
  formats::FormatFacts facts;
  // Whether the first bytes belong to this format. nullptr where only the caller can know
  // (Options::from). Called only after the registry's formats did not match.
  Result<bool> (*probe)(const io::Source& source) = nullptr;
};

[[nodiscard]] std::span<const ImportFormat> import_formats();

}  // namespace ambry::convert
