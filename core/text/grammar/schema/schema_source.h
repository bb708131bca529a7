// The schemas of a document: checks their keywords, finds what $ref names, and keeps schemas that
// are joined from several.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::text {

// A schema and its place, for errors.
struct SchemaPlace {
  const io::Json* schema = nullptr;
  std::string path;
};

class SchemaSource {
 public:
  SchemaSource(const io::Json& root, std::string_view path) : root_{&root, std::string(path)} {}

  [[nodiscard]] const SchemaPlace& root() const { return root_; }
  // Unsupported for a keyword that is refused or unknown, BadValue for what is no schema,
  // LimitExceeded for too many properties.
  [[nodiscard]] Result<void> check(const SchemaPlace& place) const;
  // The schema that this $ref names.
  [[nodiscard]] Result<SchemaPlace> named(const io::Json& ref, const std::string& path) const;
  // The schema itself, or what its $ref names, joined with the keywords beside it.
  [[nodiscard]] Result<SchemaPlace> resolved(SchemaPlace place);
  // Joins two schemas. LimitExceeded when this happens too often.
  [[nodiscard]] Result<SchemaPlace> merge(const SchemaPlace& a, const SchemaPlace& b);
  // The schema without annotations and this keyword.
  [[nodiscard]] Result<SchemaPlace> without(const SchemaPlace& place, std::string_view keyword);

 private:
  [[nodiscard]] Result<SchemaPlace> keep(io::Json schema, const std::string& path);

  SchemaPlace root_;
  std::deque<io::Json> joined_;
  size_t n_joined_values_ = 0;
};

}  // namespace ambry::text
