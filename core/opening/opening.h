// What a source opens as: which kind of model, as it is or by which conversion, and with which
// code. Nothing else decides it. The rows are formats/opening_rows.h.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/opening_rows.h"
#include "formats/registry.h"
#include "io/source.h"

namespace ambry::opening {

using formats::Code;
using formats::Runs;

struct Opening {
  Runs runs = Runs::Nothing;  // Nothing: only the conversion finds out
  // Whether the source is converted first, to format_for(runs).
  bool converts = false;
  Code code = Code::Usual;
};

// The id of the format to which sources of other formats are converted, so that they run as this.
// Empty for what nothing is converted to.
[[nodiscard]] std::string_view format_for(Runs runs);

// By the first formats::kHeadBytes bytes, or all bytes of a smaller file. `wanted` is the kind that
// the caller asks for; Nothing: any. A text classifier is a model of fastText, or an encoder with a
// classification head, which runs as encoders do. Nothing comes back where these bytes do not tell
// it.
[[nodiscard]] std::optional<Opening> opening_of_head(std::string_view head,
                                                     Runs wanted = Runs::Nothing);

// A file of a format of the registry, without the code that runs it. NeedBytes while its first
// bytes are missing.
[[nodiscard]] Result<Opening> opening_of(const io::Source& source, const formats::Format& format);

}  // namespace ambry::opening
