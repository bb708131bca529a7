// `checksums` in the metadata: the CRC-32 of config, tokenizer and weights, each as eight
// hexadecimal digits (README.md#checksums).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/amb/amb_layout.h"
#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::amb {

inline constexpr std::string_view kChecksumsKey = "checksums";

// Reads the three checksums and the offsets of their digits. `metadata` must have byte offsets.
[[nodiscard]] Result<std::vector<model::ByteRangeCrc>> read_checksums(const io::Json& metadata,
                                                                      const Sections& sections);

// The object for a file whose checksums are not computed yet.
[[nodiscard]] io::Json checksums_to_fill_in();

}  // namespace ambry::formats::amb
