// Kinds of files that are only converted from: they are no formats of the registry, because nothing
// else is done with them.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "io/source.h"

namespace ambry::convert {

struct ImportFormat {
  std::string_view id;
  // Whether the first bytes are this kind's; nullptr where only the caller can know
  // (Options::from). Asked after the registry's formats have all said no.
  Result<bool> (*probe)(const io::Source& source) = nullptr;
};

[[nodiscard]] std::span<const ImportFormat> import_formats();

}  // namespace ambry::convert
