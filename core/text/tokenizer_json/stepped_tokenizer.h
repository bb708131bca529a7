// A tokenizer whose tokens become text by the component `decoder` of a tokenizer.json.
#pragma once

#include <memory>
#include <string_view>

#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

// Encodes as `tokenizer` does, and makes text by the component. When that cannot be read,
// can_decode() says why.
[[nodiscard]] std::unique_ptr<Tokenizer> with_decoder(std::unique_ptr<Tokenizer> tokenizer,
                                                      std::string_view component);

}  // namespace ambry::text
