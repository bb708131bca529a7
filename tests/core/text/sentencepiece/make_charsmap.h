// Builds a precompiled_charsmap from rules in a simple way: each node takes the first slot of the
// double array that fits all its children.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ambry::text {

class CharsmapMaker {
 public:
  using Rules = std::map<std::string, std::string>;

  explicit CharsmapMaker(const Rules& rules) : units_(256, kFree) {
    std::map<std::string, uint32_t> values;
    for (const auto& [key, replacement] : rules) {
      values[key] = static_cast<uint32_t>(replacements_.size());
      replacements_ += replacement;
      replacements_ += '\0';
    }
    units_[0] = 0;
    place(0, "", values);
    for (uint32_t& unit : units_) {
      if (unit == kFree) unit = 1U << 31 >> 1;  // neither a label nor a leaf
    }
  }

  std::vector<uint32_t>& units() { return units_; }
  std::string& replacements() { return replacements_; }

  [[nodiscard]] std::string bytes() const {
    std::string out;
    const auto put = [&out](uint32_t value) {
      for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i));
    };
    put(static_cast<uint32_t>(units_.size() * 4));
    for (const uint32_t unit : units_) put(unit);
    return out + replacements_;
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr uint32_t kLeaf = 1U << 8;

  // The node at `index` stands for `prefix`.
  void place(uint32_t index, const std::string& prefix,
             const std::map<std::string, uint32_t>& values) {
    std::map<uint8_t, bool> labels;
    const bool ends = !prefix.empty() && values.contains(prefix);
    for (const auto& [key, value] : values) {
      if (key.size() > prefix.size() && key.starts_with(prefix)) {
        labels[static_cast<uint8_t>(key[prefix.size()])] = true;
      }
    }
    if (labels.empty() && !ends) return;
    const auto fits = [&](uint32_t base) {
      if (base == index) return false;
      for (const auto& [label, yes] : labels) {
        if (units_[base ^ label] != kFree) return false;
      }
      return units_[base] == kFree;
    };
    uint32_t base = 256;
    for (;; ++base) {
      if ((base | 255U) >= units_.size()) units_.resize(units_.size() + 256, kFree);
      if (fits(base)) break;
    }
    units_[index] |= (index ^ base) << 10 | (ends ? kLeaf : 0);
    units_[base] = ends ? values.at(prefix) | 1U << 31 : 1U << 30;
    for (const auto& [label, yes] : labels) units_[base ^ label] = label;
    for (const auto& [label, yes] : labels) {
      place(base ^ label, prefix + static_cast<char>(label), values);
    }
  }

  std::vector<uint32_t> units_;
  std::string replacements_;
};

}  // namespace ambry::text
