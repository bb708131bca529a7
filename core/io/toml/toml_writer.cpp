#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "io/toml/toml.h"

namespace ambry::io {
namespace {

// A basic string, escaped as in JSON, which escapes more than TOML requires.
std::string quoted(std::string_view text) { return Json(text).dump(); }

std::string key_text(std::string_view key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? std::string(key) : quoted(key);
}

std::string number_text(const Json& value) {
  if (value.kind() != Json::Kind::Double) return value.dump();
  const double number = value.number();
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::string text = value.dump();
  // Without these characters it would read back as an integer.
  if (text.find_first_of(".eE") == std::string::npos) text += ".0";
  return text;
}

// The value on one line; nested values become arrays and inline tables. The depth of a Json is
// bounded, but a work list replaces recursion here.
std::string inline_value(const Json& value) {
  struct Step {
    const Json* value;  // the value to append; nullptr: only the text
    std::string text;   // the text before it
  };
  std::string out;
  std::vector<Step> steps;
  steps.push_back({&value, {}});
  while (!steps.empty()) {
    const Step step = std::move(steps.back());
    steps.pop_back();
    out += step.text;
    if (step.value == nullptr) continue;
    std::vector<Step> inner;
    if (step.value->is_array()) {
      for (const Json& item : step.value->items()) {
        if (!item.is_null()) inner.push_back({&item, inner.empty() ? "[" : ", "});
      }
      inner.push_back({nullptr, inner.empty() ? "[]" : "]"});
    } else if (step.value->is_object()) {
      for (const auto& [key, member] : step.value->members()) {
        if (member.is_null()) continue;
        inner.push_back({&member, (inner.empty() ? "{" : ", ") + key_text(key) + " = "});
      }
      inner.push_back({nullptr, inner.empty() ? "{}" : "}"});
    } else {
      out += step.value->is_string()   ? quoted(step.value->string())
             : step.value->is_number() ? number_text(*step.value)
                                       : step.value->dump();
    }
    for (size_t i = inner.size(); i-- > 0;) steps.push_back(std::move(inner[i]));
  }
  return out;
}

}  // namespace

// Tables of the first level get a [header], as in the files of word vector writers. Deeper tables
// are inline.
std::string to_toml(const Json& object) {
  std::string out;
  const auto put = [&](const std::string& key, const Json& value) {
    if (!value.is_null()) out += key_text(key) + " = " + inline_value(value) + "\n";
  };
  for (const auto& [key, value] : object.members()) {
    if (!value.is_object()) put(key, value);
  }
  for (const auto& [key, value] : object.members()) {
    if (!value.is_object()) continue;
    if (!out.empty()) out += "\n";
    out += "[" + key_text(key) + "]\n";
    for (const auto& [inner_key, inner_value] : value.members()) put(inner_key, inner_value);
  }
  return out;
}

}  // namespace ambry::io
