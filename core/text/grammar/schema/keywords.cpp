#include "text/grammar/schema/keywords.h"

#include <algorithm>
#include <array>

namespace ambry::text {
namespace {

struct Keyword {
  std::string_view name;
  KeywordUse use;
};

using enum KeywordUse;

constexpr std::array kKeywords = {
    Keyword{"$schema", Annotation},
    Keyword{"$comment", Annotation},
    Keyword{"title", Annotation},
    Keyword{"description", Annotation},
    Keyword{"default", Annotation},
    Keyword{"examples", Annotation},
    Keyword{"deprecated", Annotation},
    Keyword{"readOnly", Annotation},
    Keyword{"writeOnly", Annotation},
    Keyword{"contentMediaType", Annotation},
    Keyword{"contentEncoding", Annotation},
    Keyword{"contentSchema", Annotation},
    Keyword{"$defs", Definitions},
    Keyword{"definitions", Definitions},
    Keyword{"type", General},
    Keyword{"enum", General},
    Keyword{"const", General},
    Keyword{"anyOf", General},
    Keyword{"oneOf", General},
    Keyword{"allOf", General},
    Keyword{"$ref", General},
    Keyword{"minLength", String},
    Keyword{"maxLength", String},
    Keyword{"pattern", String},
    Keyword{"format", String},
    Keyword{"minimum", Number},
    Keyword{"maximum", Number},
    Keyword{"exclusiveMinimum", Number},
    Keyword{"exclusiveMaximum", Number},
    Keyword{"items", Array},
    Keyword{"prefixItems", Array},
    Keyword{"additionalItems", Array},
    Keyword{"minItems", Array},
    Keyword{"maxItems", Array},
    Keyword{"uniqueItems", Array},
    Keyword{"properties", Object},
    Keyword{"required", Object},
    Keyword{"additionalProperties", Object},
    Keyword{"minProperties", Object},
    Keyword{"maxProperties", Object},
    Keyword{"$id", Refused},
    Keyword{"$anchor", Refused},
    Keyword{"$dynamicAnchor", Refused},
    Keyword{"$dynamicRef", Refused},
    Keyword{"$recursiveAnchor", Refused},
    Keyword{"$recursiveRef", Refused},
    Keyword{"$vocabulary", Refused},
    Keyword{"not", Refused},
    Keyword{"if", Refused},
    Keyword{"then", Refused},
    Keyword{"else", Refused},
    Keyword{"dependentSchemas", Refused},
    Keyword{"dependentRequired", Refused},
    Keyword{"dependencies", Refused},
    Keyword{"patternProperties", Refused},
    Keyword{"propertyNames", Refused},
    Keyword{"unevaluatedItems", Refused},
    Keyword{"unevaluatedProperties", Refused},
    Keyword{"contains", Refused},
    Keyword{"minContains", Refused},
    Keyword{"maxContains", Refused},
    Keyword{"multipleOf", Refused},
};

}  // namespace

std::optional<KeywordUse> keyword_use(std::string_view keyword) {
  const auto* known = std::ranges::find(kKeywords, keyword, &Keyword::name);
  if (known == kKeywords.end()) return std::nullopt;
  return known->use;
}

}  // namespace ambry::text
