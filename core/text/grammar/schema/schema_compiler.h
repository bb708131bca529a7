// Turns the schemas of a document into the rules of a grammar, one rule for each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "text/grammar/form/grammar.h"
#include "text/grammar/form/word_interner.h"
#include "text/grammar/schema/schema_facts.h"
#include "text/grammar/schema/schema_source.h"

namespace ambry::text {

class SchemaCompiler {
 public:
  using Expression = Grammar::Expression;

  SchemaCompiler(const io::Json& schema, std::string_view path) : source_(schema, path) {}

  [[nodiscard]] Result<Grammar> compile();

  // The rest is for the files that compile objects, lists and strings.

  [[nodiscard]] Grammar& grammar() { return grammar_; }
  // A value of the schema. Its rule is compiled later, so schemas may refer to each other in
  // circles.
  [[nodiscard]] Expression value_of(const SchemaPlace& place);
  [[nodiscard]] Expression any_value();
  [[nodiscard]] Expression any_string();

 private:
  [[nodiscard]] Result<Expression> compile_schema(const SchemaPlace& place);
  [[nodiscard]] Result<Expression> compile_all_of(const SchemaPlace& place);
  [[nodiscard]] Result<Expression> compile_any_of(const SchemaPlace& place, const char* keyword);
  [[nodiscard]] Result<Expression> compile_fixed(const SchemaPlace& place);
  [[nodiscard]] Result<Expression> compile_types(const SchemaPlace& place);

  SchemaSource source_;
  Grammar grammar_;
  WordInterner known_;  // the addresses of schemas that have a rule, in the order of rules_
  std::vector<Grammar::Rule> rules_;
  std::vector<std::pair<SchemaPlace, Grammar::Rule>> waiting_;
  Grammar::Rule any_value_ = UINT32_MAX;
  Grammar::Rule any_string_ = UINT32_MAX;
};

// Values of one type, by the keywords of `place`.
[[nodiscard]] Result<Grammar::Expression> compile_object(SchemaCompiler& compiler,
                                                         const SchemaPlace& place);
[[nodiscard]] Result<Grammar::Expression> compile_array(SchemaCompiler& compiler,
                                                        const SchemaPlace& place);
[[nodiscard]] Result<Grammar::Expression> compile_string(SchemaCompiler& compiler,
                                                         const SchemaPlace& place);
[[nodiscard]] Result<Grammar::Expression> compile_number(SchemaCompiler& compiler,
                                                         const SchemaPlace& place, TypeSet types);

// The value of a keyword that counts, or the fallback. A maximum that is larger than a grammar
// takes becomes the largest that it takes; LimitExceeded for such a minimum.
[[nodiscard]] Result<uint32_t> read_least(const SchemaPlace& place, const char* keyword);
[[nodiscard]] Result<uint32_t> read_most(const SchemaPlace& place, const char* keyword);

// Unsupported when the schemas may allow the same value: then a grammar of all of them would not be
// the `oneOf` of them.
[[nodiscard]] Result<void> check_disjoint(SchemaSource& source,
                                          const std::vector<SchemaPlace>& alternatives,
                                          const std::string& path);

}  // namespace ambry::text
