#include "generate/answer/answer_form.h"

#include <string>
#include <string_view>
#include <utility>

#include "generate/run/prompt.h"
#include "text/grammar/matcher/plain_text.h"

namespace ambry::generate {

Result<std::unique_ptr<text::ConstrainedAnswer>> begin_form(Generator& generator,
                                                            const AnswerForm* form) {
  if (form == nullptr) return std::unique_ptr<text::ConstrainedAnswer>();
  AMBRY_TRY(text::GrammarMatcher matcher, text::GrammarMatcher::create(form->grammar, form->path));
  AMBRY_TRY(const text::Tokenizer* tokenizer, need_tokenizer(generator));
  if (!generator.token_index) {
    generator.token_index =
        std::make_shared<const text::TokenIndex>(*tokenizer, generator.decoder.n_tokens());
  }
  return std::make_unique<text::ConstrainedAnswer>(std::move(matcher), generator.token_index,
                                                   tokenizer->end_ids(), "options.format");
}

std::optional<uint32_t> token_of_text(const text::TokenIndex& tokens) {
  for (uint32_t id = 0; id < tokens.texts().n_tokens(); ++id) {
    const std::string_view bytes = tokens.texts().bytes(id);
    if (text::is_short_plain_text(bytes) && bytes[0] != ' ') return id;
  }
  return std::nullopt;
}

}  // namespace ambry::generate
