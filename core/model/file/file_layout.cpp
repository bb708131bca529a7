#include "model/file/file_layout.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ambry::model {
namespace {

std::vector<uint8_t> field_bytes(ByteRangeCrc::Form form, uint32_t crc) {
  if (form == ByteRangeCrc::Form::Le32) {
    std::vector<uint8_t> bytes(sizeof(crc));
    store_le(bytes.data(), crc);
    return bytes;
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<uint8_t> bytes;
  for (int shift = 28; shift >= 0; shift -= 4) {
    bytes.push_back(static_cast<uint8_t>(kDigits[(crc >> shift) & 15U]));
  }
  return bytes;
}

}  // namespace

void FileLayout::add_bytes(std::vector<uint8_t> bytes) {
  total_bytes += bytes.size();
  if (!bytes.empty()) pieces.push_back({std::move(bytes), FilePiece::kLiteral});
}

void FileLayout::add_zeros(uint64_t n) { add_bytes(std::vector<uint8_t>(static_cast<size_t>(n))); }

void FileLayout::add_tensor(size_t index, uint64_t bytes) {
  total_bytes += bytes;
  pieces.push_back({{}, index});
}

Failure crc_mismatch(const ByteRangeCrc& stated, uint32_t found) {
  const auto hex = [](uint32_t crc) { return field_bytes(ByteRangeCrc::Form::Hex, crc); };
  return error_at(ErrorCode::Mismatch, stated.field_offset, stated.path,
                  {"the stored CRC-32 is ", as_text(hex(stated.expected)), ", but the bytes give ",
                   as_text(hex(found))});
}

ChecksumWriter::ChecksumWriter(const FileLayout& layout) {
  for (const ByteRangeCrc& field : layout.checksums) {
    running_.push_back({field, false});
    crcs_.add(field.begin, field.end);
  }
}

void ChecksumWriter::update(MutableBytes bytes) {
  const uint64_t end = position_ + bytes.size();
  for (Running& sum : running_) {
    const uint64_t at = sum.field.field_offset;
    if (sum.field.end > position_ || at < position_ || at >= end) continue;
    const auto field = field_bytes(sum.field.form, crcs_.value(sum.field.begin, sum.field.end));
    std::ranges::copy(field, bytes.begin() + static_cast<std::ptrdiff_t>(at - position_));
    sum.written = true;
  }
  crcs_.update(position_, bytes);
  position_ = end;
}

std::vector<ChecksumWriter::Patch> ChecksumWriter::finish() {
  std::vector<Patch> patches;
  for (const Running& sum : running_) {
    if (sum.written) continue;
    patches.push_back({sum.field.field_offset,
                       field_bytes(sum.field.form, crcs_.value(sum.field.begin, sum.field.end))});
  }
  return patches;
}

}  // namespace ambry::model
