// The signature that an operator has in a version of its domain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/onnx/onnx_types.h"

namespace ambry::formats::onnx {

struct Signature {
  int64_t since = 0;  // the version that brought it; 0: the operator is known, but comes later
  bool is_removed = false;
  uint32_t min_inputs = 0;
  uint32_t max_inputs = 0;
  uint32_t min_outputs = 0;
  uint32_t max_outputs = 0;
  std::string attributes;  // as in the table

  struct Rule {
    AttributeType type = AttributeType::Undefined;  // Undefined: of any type
    bool is_required = false;
  };
  // Nothing for an attribute that the operator does not have.
  [[nodiscard]] std::optional<Rule> rule(std::string_view attribute) const;
  // Calls `use` with the name of each required attribute.
  template <class Use>
  void for_each_required(const Use& use) const;
};

// Whether the operators of this domain are known here.
[[nodiscard]] bool knows_domain(std::string_view domain);
// The newest version of the domain that is known; 0 for a domain without versions.
[[nodiscard]] int64_t newest_version(std::string_view domain);
// Nothing for an unknown operator.
[[nodiscard]] std::optional<Signature> find_signature(std::string_view domain,
                                                      std::string_view op_type, int64_t version);

template <class Use>
void Signature::for_each_required(const Use& use) const {
  for (size_t at = 0; at < attributes.size();) {
    const size_t end = std::min(attributes.find(' ', at), attributes.size());
    const std::string_view rule = std::string_view(attributes).substr(at, end - at);
    if (rule.ends_with('!')) use(rule.substr(0, rule.find('=')));
    at = end + 1;
  }
}

}  // namespace ambry::formats::onnx
