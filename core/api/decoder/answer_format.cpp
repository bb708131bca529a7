#include "api/decoder/answer_format.h"

#include <string>
#include <utility>
#include <vector>

#include "text/grammar/form/choices.h"
#include "text/grammar/form/gbnf.h"
#include "text/grammar/form/regex.h"
#include "text/grammar/schema/json_schema.h"

namespace ambry::api {
namespace {

using io::Json;

constexpr std::string_view kPath = "options.format";

Result<text::Grammar> regex_grammar(std::string_view regex, std::string_view path) {
  text::Grammar grammar;
  const text::Grammar::Rule root = grammar.add_rule("regex");
  AMBRY_TRY(const text::Grammar::Expression whole,
            text::parse_regex(grammar, regex, path, text::RegexMatch::Whole, text::utf8_of));
  grammar.define(root, whole);
  return grammar;
}

Result<text::Grammar> choices_grammar(const Json& list, const std::string& path) {
  std::vector<std::string> texts;
  const bool is_list = list.is_array();
  for (size_t i = 0; is_list && i < list.items().size(); ++i) {
    if (list.items()[i].is_string()) texts.push_back(list.items()[i].string());
  }
  if (!is_list || texts.size() < list.items().size()) {
    return make_error(ErrorCode::BadValue, path, "must be a list of texts");
  }
  return text::grammar_of_choices(texts, path);
}

Result<text::Grammar> grammar_of_format(const Json& format, const std::string& name,
                                        const std::string& path) {
  const Json& value = *format.find(name);
  if (name == "schema") return text::parse_json_schema(value, path);
  if (name == "choices") return choices_grammar(value, path);
  if (name != "regex" && name != "grammar") {
    return make_error(ErrorCode::BadValue, path,
                      "there is no such form; use schema, choices, regex or grammar");
  }
  if (!value.is_string()) return make_error(ErrorCode::BadValue, path, "must be a string");
  if (name == "regex") return regex_grammar(value.string(), path);
  return text::parse_gbnf(value.string(), path);
}

}  // namespace

Result<std::shared_ptr<const generate::AnswerForm>> read_format(const Json& options) {
  const Json* format = options.find("format");
  if (format == nullptr || format->is_null()) {
    return std::shared_ptr<const generate::AnswerForm>();
  }
  if (!format->is_object() || format->members().size() != 1) {
    return make_error(ErrorCode::BadValue, kPath,
                      "must be an object with one of schema, choices, regex and grammar");
  }
  const std::string& name = format->members()[0].first;
  generate::AnswerForm form;
  form.path = concat({kPath, ".", name});
  AMBRY_TRY(form.grammar, grammar_of_format(*format, name, form.path));
  return std::make_shared<const generate::AnswerForm>(std::move(form));
}

}  // namespace ambry::api
