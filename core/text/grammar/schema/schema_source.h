// The schemas of a document: checks their keywords, finds what $ref names, and keeps schemas that
// are made of others.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "text/grammar/form/word_interner.h"

namespace ambry::text {

// A schema that is applied to a value, or whose opposite is.
struct SchemaNode {
  const io::Json* schema = nullptr;
  std::string path;                    // its place, for errors
  bool is_negated = false;             // the value must not fit it
  std::string_view keyword;            // the only one that counts; empty: all of them
  const SchemaNode* parent = nullptr;  // the schema that applies it to the same value
};
using SchemaNodes = std::vector<const SchemaNode*>;

class SchemaSource {
 public:
  SchemaSource(const io::Json& root, std::string_view path)
      : root_{.schema = &root, .path = std::string(path), .keyword = {}} {}

  [[nodiscard]] const SchemaNode* root() const { return &root_; }
  // Keeps a node.
  [[nodiscard]] const SchemaNode* add(SchemaNode node);
  // Keeps a schema that is made of others. Equal ones are one. LimitExceeded when there are too
  // many.
  [[nodiscard]] Result<const io::Json*> made(io::Json schema, const std::string& path);
  // False when the work on all alternatives of the document is too much. A step's work grows with
  // the nodes of the alternative.
  [[nodiscard]] bool take_step(size_t n_nodes) {
    n_steps_ += 1 + n_nodes / 16;
    constexpr size_t kMaxSteps = size_t{1} << 18;
    return n_steps_ <= kMaxSteps;
  }
  // Unsupported for a keyword that is refused or unknown, BadValue for what is no schema,
  // LimitExceeded for too many properties.
  [[nodiscard]] Result<void> check(const SchemaNode& node) const;
  // The schema that a $ref or $dynamicRef names. `path` is that of the reference.
  [[nodiscard]] Result<const io::Json*> named(const io::Json& ref, bool is_dynamic,
                                              const std::string& path) const;

 private:
  SchemaNode root_;
  std::deque<SchemaNode> nodes_;
  std::deque<io::Json> made_;
  WordInterner made_texts_;  // in the order of made_
  size_t n_steps_ = 0;
};

}  // namespace ambry::text
