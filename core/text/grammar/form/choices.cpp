#include "text/grammar/form/choices.h"

#include <vector>

namespace ambry::text {

Result<Grammar> grammar_of_choices(std::span<const std::string> texts, const std::string& path) {
  if (texts.empty()) return make_error(ErrorCode::BadValue, path, "there must be a text to choose");
  Grammar grammar;
  const Grammar::Rule root = grammar.add_rule("choices");
  std::vector<Grammar::Expression> ways;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) {
      return make_error(ErrorCode::BadValue, {path, "[", uint64_t{i}, "]"}, "must not be empty");
    }
    ways.push_back(grammar.literal(texts[i]));
  }
  grammar.define(root, grammar.choice(ways));
  return grammar;
}

}  // namespace ambry::text
