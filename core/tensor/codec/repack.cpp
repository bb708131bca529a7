#include "tensor/codec/repack.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "tensor/codec/codes/codes.h"

namespace ambry::tensor {
namespace {

constexpr size_t kScaleBytes = 2;
constexpr size_t kHalfRepacked = kRepackedBlock / 2;

struct Pair {
  DType blocks;
  DType payload;
};
constexpr auto kPairs = [] {
  constexpr auto kBlocks =
      dtypes_where<[](const DTypeRow& row) { return row.same_codes.has_value(); }>();
  std::array<Pair, kBlocks.size()> pairs{};
  for (size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {kBlocks[i], *dtype_column<&DTypeRow::same_codes>(kBlocks[i])};
  }
  return pairs;
}();

// Whether blocks and payload take the same places, so that each block is re-packed by itself.
bool keeps_places(DType payload) { return arrangement_of(payload) == Arrangement::ScaleInBlock; }

// ggml's blocks of 4 or 5 bits, which differ in a fifth bit.
struct Halves {
  explicit Halves(DType payload)
      : code(code_type(payload)),
        fifth_bytes(code_bits(code) == 5 ? sizeof(uint32_t) : 0),
        offset(1 << (code_bits(code) - 1)) {}

  DType code;
  size_t fifth_bytes;  // of the fifth bits of all elements, before the halves
  int offset;          // of ggml's codes, which are never negative

  [[nodiscard]] size_t block_bytes() const { return kScaleBytes + fifth_bytes + kHalfRepacked; }
};

void to_payload(const Halves& how, const uint8_t* from, uint8_t* to) {
  const uint32_t fifth = how.fifth_bytes == 0 ? 0 : load_le<uint32_t>(from);
  const uint8_t* halves = from + how.fifth_bytes;
  std::array<int8_t, kRepackedBlock> codes;
  for (size_t i = 0; i < kRepackedBlock; ++i) {
    const int low = i < kHalfRepacked ? halves[i] & 15 : halves[i - kHalfRepacked] >> 4;
    codes[i] = static_cast<int8_t>((low | static_cast<int>(fifth >> i & 1U) << 4) - how.offset);
  }
  pack_codes(how.code, codes.data(), kRepackedBlock, to);
}

void to_blocks(const Halves& how, const uint8_t* from, uint8_t* to) {
  std::array<float, kRepackedBlock> values;
  unpack_codes(how.code, from, kRepackedBlock, values.data());
  std::array<uint8_t, kHalfRepacked> halves{};
  uint32_t fifth = 0;
  for (size_t i = 0; i < kRepackedBlock; ++i) {
    const auto code = static_cast<uint32_t>(static_cast<int>(values[i]) + how.offset);
    const uint32_t shift = i < kHalfRepacked ? 0 : 4;
    halves[i % kHalfRepacked] =
        static_cast<uint8_t>(halves[i % kHalfRepacked] | (code & 15U) << shift);
    fifth |= code >> 4 << i;
  }
  if (how.fifth_bytes != 0) store_le(to, fifth);
  std::memcpy(to + how.fifth_bytes, halves.data(), kHalfRepacked);
}

}  // namespace

std::optional<DType> payload_type(DType blocks) {
  return dtype_column<&DTypeRow::same_codes>(blocks);
}

std::optional<DType> block_type(DType payload, const Shape& shape,
                                const Quantization& quantization) {
  const auto* pair = std::ranges::find(kPairs, payload, &Pair::payload);
  const bool whole_blocks = shape.rank() > 0 && shape[shape.rank() - 1] % kRepackedBlock == 0;
  if (pair == kPairs.end() || !whole_blocks || quantization.block_size != kRepackedBlock ||
      quantization.scale_type != DType::F16 || quantization.across_rows || quantization.minima) {
    return std::nullopt;
  }
  return pair->blocks;
}

void repack_blocks(DType from_type, Bytes from, MutableBytes to) {
  const auto payload = payload_type(from_type);
  assert(keeps_places(payload.value_or(from_type)) && from.size() == to.size());
  const Halves how(payload.value_or(from_type));
  const size_t size = how.block_bytes();
  assert(from.size() % size == 0);
  const auto repack = payload ? to_payload : to_blocks;
  for (size_t at = 0; at < from.size(); at += size) {
    std::memmove(to.data() + at, from.data() + at, kScaleBytes);
    repack(how, from.data() + at + kScaleBytes, to.data() + at + kScaleBytes);
  }
}

Result<AlignedBuffer> repack_whole(DType blocks, AlignedBuffer bytes) {
  if (keeps_places(*payload_type(blocks))) {
    repack_blocks(blocks, bytes.bytes(), bytes.bytes());
    return bytes;
  }
  AMBRY_TRY(AlignedBuffer payload, AlignedBuffer::allocate(bytes.size()));
  const size_t n_scales = bytes.size() / kQ8BlockBytes * kScaleBytes;
  take_q8_scales(bytes.bytes(), payload.bytes().first(n_scales));
  take_q8_codes(bytes.bytes(), payload.bytes().subspan(n_scales));
  return payload;
}

void take_q8_scales(Bytes blocks, MutableBytes scales) {
  assert(blocks.size() / kQ8BlockBytes * kScaleBytes == scales.size());
  uint8_t* to = scales.data();
  for (size_t at = 0; at < blocks.size(); at += kQ8BlockBytes, to += kScaleBytes) {
    std::memcpy(to, blocks.data() + at, kScaleBytes);
  }
}

void take_q8_codes(Bytes blocks, MutableBytes codes) {
  assert(blocks.size() / kQ8BlockBytes * kRepackedBlock == codes.size());
  uint8_t* to = codes.data();
  for (size_t at = 0; at < blocks.size(); at += kQ8BlockBytes, to += kRepackedBlock) {
    std::memcpy(to, blocks.data() + at + kScaleBytes, kRepackedBlock);
  }
}

void join_q8(Bytes scales, Bytes codes, MutableBytes blocks) {
  assert(scales.size() / kScaleBytes == codes.size() / kRepackedBlock);
  assert(blocks.size() / kQ8BlockBytes == codes.size() / kRepackedBlock);
  uint8_t* to = blocks.data();
  for (size_t i = 0; i < codes.size() / kRepackedBlock; ++i, to += kQ8BlockBytes) {
    std::memcpy(to, scales.data() + i * kScaleBytes, kScaleBytes);
    std::memcpy(to + kScaleBytes, codes.data() + i * kRepackedBlock, kRepackedBlock);
  }
}

}  // namespace ambry::tensor
