// The regular expressions with which published tokenizers split texts into words.
#pragma once

#include <optional>
#include <string_view>

namespace ambry::model {

struct SplitPattern {
  std::string_view regex;
  // AMB's name of the step (core/text/README.md#word-cutting).
  std::string_view name;
  bool covers = true;  // whether its matches cover every text
};

// Finds a known expression by its text. Returns nullptr for any other.
[[nodiscard]] const SplitPattern* find_split_pattern(std::string_view regex);

}  // namespace ambry::model
