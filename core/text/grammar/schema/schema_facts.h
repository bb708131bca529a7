// What a schema says about the types and values that it allows, by its own keywords.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::text {

// Sets of types are sums of these. The type `number` is both kInteger and kFraction.
using TypeSet = uint8_t;
inline constexpr TypeSet kNull = 1;
inline constexpr TypeSet kBoolean = 2;
inline constexpr TypeSet kInteger = 4;
inline constexpr TypeSet kFraction = 8;
inline constexpr TypeSet kString = 16;
inline constexpr TypeSet kArray = 32;
inline constexpr TypeSet kObject = 64;
inline constexpr TypeSet kEveryType = 127;

[[nodiscard]] TypeSet type_of(const io::Json& value);

// The types of the keyword `type`, and null where `nullable` stands beside it. All without the
// keyword. BadValue for other names.
[[nodiscard]] Result<TypeSet> stated_types(const io::Json& schema, const std::string& path);

// The types that the schema allows by `type`, `const` and `enum`; all when it has none of them.
[[nodiscard]] Result<TypeSet> allowed_types(const io::Json& schema, const std::string& path);

// The types of which a keyword speaks; none for a keyword of every type.
[[nodiscard]] TypeSet types_of_keyword(std::string_view keyword);

// A text that is equal for equal values. Lists and objects that are equal but written differently
// have different ones.
[[nodiscard]] std::string value_key(const io::Json& value);

// The keys of the values of `const` and `enum`, sorted. Nothing when there are none, or when one is
// a list or an object.
[[nodiscard]] std::optional<std::vector<std::string>> fixed_value_keys(const io::Json& schema);

// Whether two sorted lists have a common member.
[[nodiscard]] bool have_common(const std::vector<std::string>& a,
                               const std::vector<std::string>& b);

}  // namespace ambry::text
