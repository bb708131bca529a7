// The form that an answer keeps to, token by token.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "generate/answer/generate_options.h"
#include "generate/run/generator.h"
#include "text/grammar/matcher/constrained_answer.h"

namespace ambry::generate {

// nullptr for nullptr. BadValue when no text has the form, LimitExceeded for a form that is too
// large, Unsupported without a tokenizer.
[[nodiscard]] Result<std::unique_ptr<text::ConstrainedAnswer>> begin_form(Generator& generator,
                                                                          const AnswerForm* form);

// A token of ordinary text that begins with no space, if there is one. A decoder that has seen it
// drops no space of the answer.
[[nodiscard]] std::optional<uint32_t> token_of_text(const text::TokenIndex& tokens);

}  // namespace ambry::generate
