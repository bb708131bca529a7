// The option `format`: the form that an answer keeps to.
#pragma once

#include <memory>

#include "base/result.h"
#include "generate/answer/generate_options.h"
#include "io/json/json.h"

namespace ambry::api {

// `options.format` is JSON {schema} or {choices: [text]} or {regex} or {grammar}. nullptr without
// it. BadValue with a path from `options.format` on; Unsupported for what a form cannot express.
[[nodiscard]] Result<std::shared_ptr<const generate::AnswerForm>> read_format(
    const io::Json& options);

}  // namespace ambry::api
