// The keywords of JSON Schema and what becomes of each (core/text/grammar/README.md#json-schema).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambry::text {

enum class KeywordUse : uint8_t {
  Annotation,   // says nothing about the text
  Definitions,  // holds or names what $ref refers to
  General,      // for values of every type
  String,
  Number,
  Array,
  Object,
  Refused,
};

// Nothing for a word that is no keyword of drafts 6 to 2020-12 or of OpenAPI 3.
[[nodiscard]] std::optional<KeywordUse> keyword_use(std::string_view keyword);

}  // namespace ambry::text
