#include "infer/decoder/weights/decoder_identity.h"

#include <algorithm>

#include "io/crc32.h"

namespace ambry::infer {
namespace {

constexpr size_t kPlaces = 64;
constexpr size_t kPlaceBytes = 1024;

}  // namespace

bool DecoderIdentity::may_equal(const DecoderIdentity& other) const {
  return config == other.config &&
         std::ranges::equal(tensors, other.tensors, [](uint32_t mine, uint32_t theirs) {
           return mine == 0 || theirs == 0 || mine == theirs;
         });
}

uint32_t tensor_sample(Bytes stored) {
  io::Crc32 crc;
  if (stored.size() <= kPlaces * kPlaceBytes) {
    crc.update(stored);
  } else {
    // From the first bytes to the last ones.
    const size_t last = stored.size() - kPlaceBytes;
    for (uint64_t i = 0; i < kPlaces; ++i) {
      const auto begin = static_cast<size_t>(uint64_t{last} * i / (kPlaces - 1));
      crc.update(stored.subspan(begin, kPlaceBytes));
    }
  }
  return std::max(crc.value(), 1U);
}

}  // namespace ambry::infer
