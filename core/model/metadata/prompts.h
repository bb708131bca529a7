// The prompts of a model as metadata: a JSON object of texts by name, and the name of the default.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

using Prompts = std::vector<std::pair<std::string, std::string>>;  // names and texts

// BadValue for what is no object of texts, NotFound for a default that is no prompt.
[[nodiscard]] Result<void> read_prompts(const io::Json& metadata, Prompts& prompts,
                                        std::string& default_name);
// Writes nothing where there are none.
void set_prompts(const Prompts& prompts, const std::string& default_name, io::Json& metadata);

}  // namespace ambry::model
