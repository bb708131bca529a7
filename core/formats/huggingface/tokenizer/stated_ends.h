// Reads the ids that config.json and generation_config.json state as ends of an answer.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

// Reads `eos_token_id` of both files: a number or a list. Ids that the model does not have are left
// out with a warning. BadValue, with the file's name, for anything that is no id. `config` is
// config.json.
[[nodiscard]] Result<std::vector<uint32_t>> read_stated_ends(const SideFiles& files,
                                                             const io::Json& config,
                                                             std::vector<Error>& warnings);

}  // namespace ambry::formats::huggingface
