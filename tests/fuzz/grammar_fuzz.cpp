// Grammars, regular expressions and schemas of other people: never a crash, and never a state from
// which no text leads to an end. The first byte chooses the way in which the form is written.
#include <cstdlib>

#include "base/bytes.h"
#include "io/json/json.h"
#include "text/grammar/form/gbnf.h"
#include "text/grammar/form/regex.h"
#include "text/grammar/matcher/grammar_matcher.h"
#include "text/grammar/schema/json_schema.h"

namespace {

using namespace ambry;  // NOLINT(google-build-using-namespace)

Result<text::Grammar> read_form(uint8_t kind, std::string_view form) {
  if (kind % 3 == 0) return text::parse_gbnf(form, "form");
  if (kind % 3 == 1) {
    text::Grammar grammar;
    const text::Grammar::Rule root = grammar.add_rule("root");
    AMBRY_TRY(const text::Grammar::Expression whole,
              text::parse_regex(grammar, form, "form", text::RegexMatch::Whole, text::utf8_of));
    grammar.define(root, whole);
    return grammar;
  }
  AMBRY_TRY(const io::Json schema, io::parse_json(form));
  return text::parse_json_schema(schema, "form");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto grammar = read_form(data[0], as_text({data + 1, size - 1}));
  if (!grammar) return 0;
  auto matcher = text::GrammarMatcher::create(*grammar, "form");
  if (!matcher) return 0;
  // Takes at each step a byte that may follow, chosen by the bytes of the form.
  auto state = matcher->start();
  for (size_t step = 0; step < 64; ++step) {
    auto next = text::GrammarMatcher::kDead;
    for (unsigned i = 0; i < 256 && next == text::GrammarMatcher::kDead; ++i) {
      next = matcher->next(state, static_cast<uint8_t>(data[step % size] + i));
    }
    if (matcher->is_exhausted()) break;
    const bool has_way = next != text::GrammarMatcher::kDead;
    if (has_way != matcher->can_go_on(state)) std::abort();
    if (!has_way && !matcher->can_end(state)) std::abort();
    if (!has_way) break;
    state = step % 16 == 15 ? matcher->keep_only(next) : next;
  }
  return 0;
}
