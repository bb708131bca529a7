#include "formats/onnx/wire_cursor.h"

#include <algorithm>

#include "base/utf8.h"
#include "formats/onnx/onnx_layout.h"

namespace ambry::formats::onnx {
namespace {

using Wire = WireField::Wire;

constexpr uint64_t kMaxVarintBytes = 10;
// How much is asked for at once: little after tensor data that was passed over, and more the longer
// everything is read. The parser starts again after each request.
constexpr uint64_t kLeastWindow = 4096;
constexpr uint64_t kMostWindow = uint64_t{16} << 20U;
constexpr size_t kMostGap = 65'536;

}  // namespace

std::string WireCursor::path(const char* name) const {
  std::string text;
  for (const WireScope& scope : scopes_) {
    if (!text.empty()) text += '.';
    text += scope.name;
    if (scope.index != kNoIndex) text += concat({"[", scope.index, "]"});
  }
  if (*name != '\0') text += concat({text.empty() ? "" : ".", name});
  return text.empty() ? "model" : text;
}

Failure WireCursor::fail(ErrorCode code, uint64_t offset, const char* name,
                         const Text& message) const {
  return error_at(code, offset, {path(name)}, message);
}

Result<void> WireCursor::hold(uint64_t position, uint64_t size) {
  const uint64_t window_end = window_begin_ + window_.size();
  if (position >= window_begin_ && position <= window_end && size <= window_end - position) {
    return {};
  }
  // A small gap is read too, so that a walk over small messages asks for large pieces.
  const bool goes_on =
      position >= window_begin_ && position <= window_end + std::min(window_.size(), kMostGap);
  if (!goes_on) run_begin_ = position;
  const uint64_t begin = goes_on ? std::min(position, window_end) : position;
  const uint64_t wanted =
      std::max(position - begin + size, std::clamp(begin - run_begin_, kLeastWindow, kMostWindow));
  AMBRY_TRY(window_, source_.view(begin, std::min(wanted, source_.size() - begin), "model"));
  window_begin_ = begin;
  return {};
}

Result<uint64_t> WireCursor::varint(uint64_t& position, uint64_t end) {
  const uint64_t start = position;
  const uint64_t most = std::min(kMaxVarintBytes, end - start);
  AMBRY_RETURN_IF_ERROR(hold(start, most));
  const uint8_t* const bytes = window_.data() + (start - window_begin_);
  uint64_t value = 0;
  for (uint64_t i = 0; i < most; ++i) {
    value |= uint64_t{bytes[i] & 0x7FU} << (7 * i);
    if (bytes[i] >= 0x80) continue;
    position = start + i + 1;
    return value;
  }
  if (most < kMaxVarintBytes) {
    return fail(ErrorCode::Truncated, start, "", "the message ends inside a number");
  }
  return fail(ErrorCode::BadValue, start, "", "a number of more than 10 bytes");
}

Result<void> WireCursor::next(uint64_t& position, uint64_t end, WireField& field) {
  field.offset = position;
  AMBRY_TRY(const uint64_t tag, varint(position, end));
  if (tag >> 3 == 0 || tag > UINT32_MAX) {
    return fail(ErrorCode::BadValue, field.offset, "",
                {"field number ", tag >> 3, " is not allowed: not an ONNX file, or damaged"});
  }
  field.number = static_cast<uint32_t>(tag >> 3);
  field.wire = static_cast<Wire>(tag & 7);
  field.begin = position;
  uint64_t size = 0;
  if (field.wire == Wire::Varint) {
    AMBRY_TRY(field.value, varint(position, end));
  } else if (field.wire == Wire::Bytes) {
    AMBRY_TRY(size, varint(position, end));
    field.begin = position;
  } else if (field.wire == Wire::Fixed32 || field.wire == Wire::Fixed64) {
    size = field.wire == Wire::Fixed32 ? 4 : 8;
  } else {
    return fail(ErrorCode::BadValue, field.offset, "",
                {"wire type ", tag & 7, " (a group) is not supported"});
  }
  if (size > end - position) {
    return fail(ErrorCode::Truncated, field.offset, "",
                {"field ", uint64_t{field.number}, " has ", size, " bytes, but only ",
                 end - position, " remain"});
  }
  position += size;
  field.end = position;
  if (field.wire != Wire::Fixed32 && field.wire != Wire::Fixed64) return {};
  AMBRY_RETURN_IF_ERROR(hold(field.begin, size));
  const uint8_t* const bytes = window_.data() + (field.begin - window_begin_);
  field.value = size == 4 ? load_le<uint32_t>(bytes) : load_le<uint64_t>(bytes);
  return {};
}

Result<Bytes> WireCursor::content(const WireField& field, const char* name) {
  AMBRY_RETURN_IF_ERROR(expect(field, Wire::Bytes, name));
  AMBRY_RETURN_IF_ERROR(hold(field.begin, field.size()));
  return window_.subspan(static_cast<size_t>(field.begin - window_begin_),
                         static_cast<size_t>(field.size()));
}

Result<std::string_view> WireCursor::text(const WireField& field, const char* name) {
  if (field.size() > kMaxNameBytes && field.wire == Wire::Bytes) {
    return fail(ErrorCode::LimitExceeded, field.offset, name,
                {"a text of ", field.size(), " bytes, at most ", kMaxNameBytes});
  }
  AMBRY_TRY(const Bytes bytes, content(field, name));
  if (const auto invalid = find_invalid_utf8(as_text(bytes))) {
    return fail(ErrorCode::BadValue, field.begin + *invalid, name, "not UTF-8");
  }
  return as_text(bytes);
}

Result<void> WireCursor::expect(const WireField& field, Wire wire, const char* name) const {
  if (field.wire == wire) return {};
  return fail(ErrorCode::BadValue, field.offset, name,
              {"wire type ", static_cast<uint64_t>(field.wire), ", expected ",
               static_cast<uint64_t>(wire)});
}

}  // namespace ambry::formats::onnx
