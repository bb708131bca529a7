#include "convert/tensor/group_encoder.h"

#include <algorithm>
#include <cassert>

#include "tensor/codec/codes/group_codes.h"

namespace ambry::convert {
namespace {

template <class T>
void put(std::vector<uint8_t>& out, T value) {
  out.resize(out.size() + sizeof(T));
  store_le(out.data() + out.size() - sizeof(T), value);
}

class GroupMaker final : public FloatEncoder {
 public:
  explicit GroupMaker(const GroupCoding& coding) : coding_(coding) {}

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& out) override {
    const auto size = static_cast<size_t>(coding_.size);
    assert(rows.size() % size == 0);
    for (size_t at = 0; at < rows.size(); at += size) {
      const std::span<const float> group = rows.subspan(at, size);
      AMBRY_TRY(const tensor::GroupScale scale, tensor::fit_group(group, coding_.asymmetric));
      if (coding_.part == GroupCoding::Part::Scales) {
        put(out, scale.scale);
      } else if (coding_.part == GroupCoding::Part::ZeroPoints) {
        put(out, scale.zero_point);
      } else {
        codes_.resize(size);
        tensor::code_group(group, scale, coding_.asymmetric, codes_.data());
        const Bytes bytes = as_bytes({reinterpret_cast<const char*>(codes_.data()), size});
        out.insert(out.end(), bytes.begin(), bytes.end());
      }
    }
    return {};
  }

 private:
  GroupCoding coding_;
  std::vector<int8_t> codes_;
};

// Quantizes with a given scale: weights to 8 bits, biases to 32 bits.
class StaticMaker final : public FloatEncoder {
 public:
  explicit StaticMaker(const GroupCoding& coding) : coding_(coding) {}

  Result<void> take(std::span<const float> rows, std::vector<uint8_t>& out) override {
    if (!std::ranges::all_of(rows, [&](float value) { return fits(value); })) {
      return make_error(ErrorCode::BadValue, "group", "a number that its scale cannot reach");
    }
    for (const float value : rows) {
      if (coding_.part == GroupCoding::Part::StaticBiases) {
        put(out, static_cast<int32_t>(std::nearbyint(value / coding_.scale)));
      } else {
        // The reference multiplies by the reciprocal, which rounds a few weights differently.
        const float code = std::nearbyint(value * (1.0F / coding_.scale));
        put(out, static_cast<int8_t>(std::clamp(code, -128.0F, 127.0F)));
      }
    }
    return {};
  }
  [[nodiscard]] bool fits(float value) const override {
    constexpr float kInt32End = 2147483648.0F;
    return std::abs(value / coding_.scale) < kInt32End;
  }

 private:
  GroupCoding coding_;
};

}  // namespace

std::unique_ptr<FloatEncoder> make_group_encoder(const GroupCoding& coding) {
  if (coding.part == GroupCoding::Part::StaticCodes ||
      coding.part == GroupCoding::Part::StaticBiases) {
    return std::make_unique<StaticMaker>(coding);
  }
  return std::make_unique<GroupMaker>(coding);
}

}  // namespace ambry::convert
