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
    Keyword{"example", Annotation},
    Keyword{"examples", Annotation},
    Keyword{"deprecated", Annotation},
    Keyword{"readOnly", Annotation},
    Keyword{"writeOnly", Annotation},
    Keyword{"contentMediaType", Annotation},
    Keyword{"contentEncoding", Annotation},
    Keyword{"contentSchema", Annotation},
    Keyword{"discriminator", Annotation},
    Keyword{"externalDocs", Annotation},
    Keyword{"xml", Annotation},
    Keyword{"markdownDescription", Annotation},
    Keyword{"enumDescriptions", Annotation},
    Keyword{"$defs", Definitions},
    Keyword{"definitions", Definitions},
    Keyword{"$id", Definitions},
    Keyword{"$anchor", Definitions},
    Keyword{"$dynamicAnchor", Definitions},
    Keyword{"type", General},
    Keyword{"nullable", General},
    Keyword{"enum", General},
    Keyword{"const", General},
    Keyword{"anyOf", General},
    Keyword{"oneOf", General},
    Keyword{"allOf", General},
    Keyword{"not", General},
    Keyword{"if", General},
    Keyword{"then", General},
    Keyword{"else", General},
    Keyword{"$ref", General},
    Keyword{"$dynamicRef", General},
    Keyword{"minLength", String},
    Keyword{"maxLength", String},
    Keyword{"pattern", String},
    Keyword{"format", String},
    Keyword{"minimum", Number},
    Keyword{"maximum", Number},
    Keyword{"exclusiveMinimum", Number},
    Keyword{"exclusiveMaximum", Number},
    Keyword{"multipleOf", Number},
    Keyword{"items", Array},
    Keyword{"prefixItems", Array},
    Keyword{"additionalItems", Array},
    Keyword{"minItems", Array},
    Keyword{"maxItems", Array},
    Keyword{"uniqueItems", Array},
    Keyword{"contains", Array},
    Keyword{"minContains", Array},
    Keyword{"maxContains", Array},
    Keyword{"unevaluatedItems", Array},
    Keyword{"properties", Object},
    Keyword{"patternProperties", Object},
    Keyword{"required", Object},
    Keyword{"additionalProperties", Object},
    Keyword{"propertyNames", Object},
    Keyword{"minProperties", Object},
    Keyword{"maxProperties", Object},
    Keyword{"dependentRequired", Object},
    Keyword{"dependentSchemas", Object},
    Keyword{"dependencies", Object},
    Keyword{"unevaluatedProperties", Object},
    Keyword{"$recursiveAnchor", Refused},
    Keyword{"$recursiveRef", Refused},
    Keyword{"$vocabulary", Refused},
};

}  // namespace

std::optional<KeywordUse> keyword_use(std::string_view keyword) {
  if (keyword.starts_with("x-")) return Annotation;  // those that tools add
  const auto* known = std::ranges::find(kKeywords, keyword, &Keyword::name);
  if (known == kKeywords.end()) return std::nullopt;
  return known->use;
}

}  // namespace ambry::text
