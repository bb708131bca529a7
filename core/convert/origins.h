// Kinds of files that are only converted from and to: they are no formats of the registry, because
// nothing else is done with them.
#pragma once

#include <span>

#include "base/result.h"
#include "formats/registry.h"
#include "io/source.h"

namespace ambry::convert {

struct Origin : formats::FormatFacts {
  // Whether the first bytes are this kind's; nullptr where only the caller can know
  // (Options::from). Asked after the registry's formats have all said no.
  Result<bool> (*probe)(const io::Source& source) = nullptr;
};

[[nodiscard]] std::span<const Origin> origins();

}  // namespace ambry::convert
