// Which conversion makes a file that runs of a source that does not run as it is.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "opening/opening.h"

namespace ambry::opening {

struct ConversionToRun {
  Runs runs = Runs::Nothing;  // what the target is opened as
  std::string_view to;        // the id of its format
};

// Reads the small files, and the head of the weights where these do not say it. `wanted` is the
// kind that the caller asks for; Nothing: any. Says nothing about whether the conversion will work.
//
// BadMagic for a file that no conversion reads. Unsupported (`options.kind`) for a kind to which
// nothing is converted. NotFound for weights of a model that only its directory describes.
// NeedBytes while bytes are missing.
[[nodiscard]] Result<ConversionToRun> conversion_to_run(const convert::SourceFiles& sources,
                                                        Runs wanted = Runs::Nothing);

}  // namespace ambry::opening
