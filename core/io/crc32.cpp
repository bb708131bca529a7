#include "io/crc32.h"

#include <array>

namespace ambry::io {
namespace {

// Slicing-by-8 (Kounavis and Berry, 2005): table k advances a byte over k further zero bytes.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

// Not constexpr: the compiler would store the result, 8 KiB of random bytes for everyone to
// download.
Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t previous = tables[k - 1][byte];
      tables[k][byte] = (previous >> 8) ^ tables[0][previous & 0xFFU];
    }
  }
  return tables;
}

const Tables& tables() {
  static const Tables kTables = make_tables();
  return kTables;
}

}  // namespace

void Crc32::update(Bytes bytes) {
  const Tables& t = tables();
  uint32_t crc = state_;
  const uint8_t* data = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, data += 8) {
    const uint32_t low = load_le<uint32_t>(data) ^ crc;
    const uint32_t high = load_le<uint32_t>(data + 4);
    crc = t[7][low & 0xFFU] ^ t[6][(low >> 8) & 0xFFU] ^ t[5][(low >> 16) & 0xFFU] ^
          t[4][low >> 24] ^ t[3][high & 0xFFU] ^ t[2][(high >> 8) & 0xFFU] ^
          t[1][(high >> 16) & 0xFFU] ^ t[0][high >> 24];
  }
  for (; left > 0; --left, ++data) crc = (crc >> 8) ^ t[0][(crc ^ *data) & 0xFFU];
  state_ = crc;
}

uint32_t crc32(Bytes bytes) {
  Crc32 crc;
  crc.update(bytes);
  return crc.value();
}

}  // namespace ambry::io
