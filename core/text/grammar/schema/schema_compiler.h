// Turns the schemas of a document into the rules of a grammar, one rule for each, and for each list
// of schemas that a value fits all together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "text/grammar/form/grammar.h"
#include "text/grammar/form/word_interner.h"
#include "text/grammar/regular/intersection.h"
#include "text/grammar/schema/schema_alternatives.h"
#include "text/grammar/schema/schema_source.h"

namespace ambry::text {

class SchemaCompiler {
 public:
  using Expression = Grammar::Expression;

  SchemaCompiler(const io::Json& schema, std::string_view path) : source_(schema, path) {}

  [[nodiscard]] Result<Grammar> compile();

  // The rest is for the files that compile objects, lists, strings and numbers.

  [[nodiscard]] Grammar& grammar() { return grammar_; }
  [[nodiscard]] SchemaSource& source() { return source_; }
  // A value that fits all these. Its rule is compiled later, so schemas may refer to each other in
  // circles.
  [[nodiscard]] Expression value_of(SchemaNodes all_of);
  [[nodiscard]] Expression any_value();
  [[nodiscard]] Expression any_string();
  // A rule, so that the many that refer to it do not copy it.
  [[nodiscard]] Expression as_rule(Expression expression, std::string_view name);
  // The keys that fit all these schemas, as a grammar of its own.
  [[nodiscard]] Result<Grammar> keys_of(const SchemaNodes& all_of);
  // LimitExceeded when the languages of an intersection are too much for the document.
  [[nodiscard]] Result<void> pay_for(const Intersection& texts);
  // The texts of an intersection. All in a document together have a limit.
  [[nodiscard]] Result<Expression> texts_of(Intersection& texts);

 private:
  struct Waiting {
    SchemaNodes all_of;
    Grammar::Rule rule = 0;
  };

  [[nodiscard]] Result<Expression> compile_all(const SchemaNodes& all_of);
  [[nodiscard]] Result<Expression> compile_types(const SchemaAlternative& alternative);

  SchemaSource source_;
  Grammar grammar_;
  WordInterner known_;  // the addresses of schemas that have a rule, in the order of rules_
  std::vector<Grammar::Rule> rules_;
  std::vector<Waiting> waiting_;
  Grammar::Rule any_value_ = UINT32_MAX;
  Grammar::Rule any_string_ = UINT32_MAX;
  size_t n_states_left_ = size_t{1} << 16;
};

// Values of one type that fit all schemas of the alternative.
[[nodiscard]] Result<Grammar::Expression> compile_object(SchemaCompiler& compiler,
                                                         const SchemaAlternative& alternative);
[[nodiscard]] Result<Grammar::Expression> compile_array(SchemaCompiler& compiler,
                                                        const SchemaAlternative& alternative);
// A key is the content of a string, in one spelling.
enum class StringUse : uint8_t { Value, Key };
[[nodiscard]] Result<Grammar::Expression> compile_string(SchemaCompiler& compiler,
                                                         const SchemaAlternative& alternative,
                                                         StringUse use);
[[nodiscard]] Result<Grammar::Expression> compile_number(SchemaCompiler& compiler,
                                                         const SchemaAlternative& alternative);

// Adds the texts that match the pattern, or those that do not. `path` is that of the pattern.
[[nodiscard]] Result<void> add_pattern(Intersection& texts, const io::Json& pattern,
                                       const std::string& path, Belongs belongs);

// Adds the texts of a grammar that is written for this.
template <class Write>
[[nodiscard]] Result<void> add_written(Intersection& texts, Belongs belongs, const Write& write) {
  Grammar grammar;
  const Grammar::Rule rule = grammar.add_rule("text");
  AMBRY_TRY(const Grammar::Expression text, write(grammar));
  grammar.define(rule, text);
  return texts.add(grammar, belongs);
}

// How many a value has at least and at most, by all nodes with these keywords. A maximum that is
// larger than a grammar takes becomes the largest that it takes; LimitExceeded for such a minimum.
struct Counts {
  uint32_t least = 0;
  uint32_t most = Grammar::kUnbounded;
};
[[nodiscard]] Result<Counts> read_counts(const SchemaAlternative& alternative, const char* least,
                                         const char* most);

}  // namespace ambry::text
