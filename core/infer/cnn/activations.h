// Keeps what a network computes, as floats, to show it: the input and the result of each node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/cnn/ops/observer.h"

namespace ambry::infer {

// Only some channels of a large network are kept: whole planes, from the first on.
inline constexpr uint64_t kMaxKeptOfValue = 65'536;
inline constexpr uint64_t kMaxKeptOfRun = uint64_t{1} << 22;

class CnnActivations final : public CnnObserver {
 public:
  struct Entry {
    uint32_t value;  // 0 is the input, i + 1 the result of node i
    model::CnnShape shape;
    uint32_t channels;  // that are kept; 0 where a plane passes the limits
  };

  // Passes all calls on to `next`, which may be nullptr and must outlive this.
  explicit CnnActivations(CnnObserver* next = nullptr) : next_(next) {}

  void on_value(uint32_t value, const FeatureMap& map) override;
  void on_codes(const CnnCodes& codes) override;
  void on_quantized(const FeatureMap& map) override;
  void on_norm_input(const FeatureMap& map) override;

  // In the order of computation.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  // The kept planes of all entries, one after another.
  [[nodiscard]] std::span<const float> floats() const { return floats_; }

 private:
  CnnObserver* next_;
  std::vector<Entry> entries_;
  std::vector<float> floats_;
};

}  // namespace ambry::infer
