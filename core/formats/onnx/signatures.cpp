#include "formats/onnx/signatures.h"

#include <algorithm>
#include <charconv>

#include "base/concat.h"
#include "formats/onnx/operator_table.h"

namespace ambry::formats::onnx {
namespace {

constexpr std::string_view kMlDomain = "ai.onnx.ml";
constexpr std::string_view kMicrosoftDomain = "com.microsoft";

// By AttributeType.
constexpr std::string_view kTypeLetters = "?fistgFISTGpPyY";

std::string_view table_of(std::string_view domain) {
  return domain.empty()               ? kOnnxOperators
         : domain == kMlDomain        ? kMlOperators
         : domain == kMicrosoftDomain ? kMicrosoftOperators
                                      : std::string_view();
}

// What follows the name of an operator in its row; empty when there is none.
std::string versions_of(std::string_view table, std::string_view op_type) {
  std::string text;
  if (op_type.find_first_of("\n|") != std::string_view::npos) return text;
  const std::string start = concat({"\n", op_type, "|"});
  const size_t found = table.find(start);
  if (found == std::string_view::npos) return text;
  for (size_t at = found + start.size(); at < table.size(); ++at) {
    if (table[at] != '\n') {
      text += table[at];
    } else if (!table.substr(at).starts_with("\n\t")) {
      break;
    } else {
      ++at;
    }
  }
  return text;
}

// The text up to the character, which is taken from `rest` with it.
std::string_view take_until(std::string_view& rest, char end) {
  const size_t at = std::min(rest.find(end), rest.size());
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return taken;
}

uint32_t table_number(std::string_view text) {
  if (text == "*") return UINT32_MAX;
  uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::optional<Signature::Rule> Signature::rule(std::string_view attribute) const {
  if (attributes == "?") return Rule();
  for (std::string_view rest = std::string_view(attributes); !rest.empty();) {
    std::string_view type = take_until(rest, ' ');
    if (take_until(type, '=') != attribute) continue;
    return Rule{static_cast<AttributeType>(kTypeLetters.find(type.front())), type.ends_with('!')};
  }
  return std::nullopt;
}

bool knows_domain(std::string_view domain) { return !table_of(domain).empty(); }

int64_t newest_version(std::string_view domain) {
  return domain.empty() ? kNewestOpset : domain == kMlDomain ? kNewestMlOpset : 0;
}

std::optional<Signature> find_signature(std::string_view domain, std::string_view op_type,
                                        int64_t version) {
  const std::string versions = versions_of(table_of(domain), op_type);
  if (versions.empty()) return std::nullopt;
  std::string_view rest = versions;
  Signature signature;
  while (!rest.empty()) {
    std::string_view row = take_until(rest, '|');
    const auto since = static_cast<int64_t>(table_number(take_until(row, ':')));
    if (since > version) break;
    signature.since = since;
    signature.is_removed = row == "x";
    signature.min_inputs = table_number(take_until(row, ','));
    signature.max_inputs = table_number(take_until(row, ','));
    signature.min_outputs = table_number(take_until(row, ','));
    signature.max_outputs = table_number(take_until(row, ','));
    signature.attributes = row;
  }
  return signature;
}

}  // namespace ambry::formats::onnx
