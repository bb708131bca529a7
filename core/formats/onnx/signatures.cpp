#include "formats/onnx/signatures.h"

#include <algorithm>
#include <charconv>

#include "formats/onnx/operator_table.h"

namespace ambry::formats::onnx {
namespace {

constexpr std::string_view kMlDomain = "ai.onnx.ml";
constexpr std::string_view kMicrosoftDomain = "com.microsoft";

// By AttributeType.
constexpr std::string_view kTypeLetters = "?fistgFISTGpPyY";

std::string joined_lines(std::string_view table) {
  std::string text;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table.substr(i).starts_with("\n\t")) {
      ++i;
    } else {
      text += table[i];
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
  for (std::string_view rest = attributes; !rest.empty();) {
    std::string_view type = take_until(rest, ' ');
    if (take_until(type, '=') != attribute) continue;
    return Rule{static_cast<AttributeType>(kTypeLetters.find(type.front())), type.ends_with('!')};
  }
  return std::nullopt;
}

Signatures::Signatures()
    : tables_{{"", joined_lines(kOnnxOperators)},
              {kMlDomain, joined_lines(kMlOperators)},
              {kMicrosoftDomain, joined_lines(kMicrosoftOperators)}} {}

bool Signatures::knows_domain(std::string_view domain) {
  return domain.empty() || domain == kMlDomain || domain == kMicrosoftDomain;
}

int64_t Signatures::newest(std::string_view domain) {
  return domain.empty() ? kNewestOpset : domain == kMlDomain ? kNewestMlOpset : 0;
}

std::optional<Signature> Signatures::find(std::string_view domain, std::string_view op_type,
                                          int64_t version) const {
  const auto* const table = std::ranges::find(tables_, domain, &DomainTable::domain);
  if (table == std::ranges::end(tables_)) return std::nullopt;
  const std::string start = "\n" + std::string(op_type) + "|";
  const size_t found =
      op_type.find('\n') != std::string_view::npos ? std::string::npos : table->rows.find(start);
  if (found == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(table->rows).substr(found + start.size());
  rest = take_until(rest, '\n');
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
