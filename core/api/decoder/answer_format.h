// The option `format`: the form that an answer keeps to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "generate/run/generator.h"
#include "io/json/json.h"
#include "text/grammar/matcher/constrained_answer.h"

namespace ambry::api {

// `options.format` is JSON {schema} or {choices: [text]} or {regex} or {grammar}. nullptr without
// it. BadValue with a path from `options.format` on, also when no text has the form; Unsupported
// for what a form cannot express, and without a tokenizer; LimitExceeded for a form that is too
// large.
[[nodiscard]] Result<std::unique_ptr<text::ConstrainedAnswer>> read_format(
    generate::Generator& runtime, const io::Json& options);

// A token of ordinary text that begins with no space, if there is one. A decoder that has seen it
// drops no space of the answer.
[[nodiscard]] std::optional<uint32_t> token_of_text(const text::TokenIndex& tokens);

}  // namespace ambry::api
