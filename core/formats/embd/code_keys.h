// The metadata that say which code runs a file come first, so that its first bytes show them
// (README.md#code-keys).
#pragma once

#include "io/json/json.h"

namespace ambry::formats::embd {

// The metadata with the keys first that say which code runs the file. BERT with WordPiece, which is
// what a file holds that does not say it, keeps its order.
[[nodiscard]] io::Json with_code_keys_first(io::Json metadata);

}  // namespace ambry::formats::embd
