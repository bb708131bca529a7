// Says at once when the target of a conversion will not generate text.
#pragma once

#include <vector>

#include "base/error.h"
#include "model/file/model.h"

namespace ambry::api {

// `target` is the model as it will be read. Adds to the conversion's warnings.
void warn_of_target(model::Model& target, std::vector<Error>& warnings);

}  // namespace ambry::api
