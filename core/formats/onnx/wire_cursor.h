// Walks over the fields of nested Protocol Buffers messages in a Source, and reads only the bytes
// that are asked for. What is passed over is never loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "io/protobuf/protobuf_reader.h"
#include "io/source.h"

namespace ambry::formats::onnx {

struct WireField {
  using Wire = io::ProtobufField::Wire;
  uint32_t number = 0;
  Wire wire = Wire::Varint;
  uint64_t value = 0;   // raw value of a Varint, Fixed64 or Fixed32 field
  uint64_t offset = 0;  // where the field starts in the file
  uint64_t begin = 0;   // where the content of a Bytes field starts
  uint64_t end = 0;     // where the next field starts
  [[nodiscard]] uint64_t size() const { return end - begin; }
};

class WireCursor {
 public:
  static constexpr uint64_t kNoIndex = UINT64_MAX;

  explicit WireCursor(const io::Source& source) : source_(source) {}

  // Reads the field at `position` of a message that ends at `end`, and moves `position` past it.
  // BadValue for groups and for the field number 0; Truncated when the message ends inside.
  Result<void> next(uint64_t& position, uint64_t end, WireField& field);

  // The content of a Bytes field, or a number of it; valid until the next call.
  [[nodiscard]] Result<Bytes> content(const WireField& field, const char* name);
  // The content as a text of at most 65,536 bytes of UTF-8.
  [[nodiscard]] Result<std::string_view> text(const WireField& field, const char* name);
  // BadValue unless the field has this wire type.
  [[nodiscard]] Result<void> expect(const WireField& field, WireField::Wire wire,
                                    const char* name) const;
  // The varint at `position`, which lies before `end`; moves `position` past it.
  Result<uint64_t> varint(uint64_t& position, uint64_t end);

  // `name` is a literal. Paths of errors have the names of all that were entered.
  void enter(const char* name, uint64_t index = kNoIndex) { scopes_.push_back({name, index}); }
  void leave() { scopes_.pop_back(); }
  // Made where it fails: `name` is the field within the message that was entered last.
  [[nodiscard]] Failure fail(ErrorCode code, uint64_t offset, const char* name,
                             const Text& message) const;

 private:
  struct WireScope {
    const char* name;
    uint64_t index;
  };
  // Makes window_ hold up to `size` bytes from `position` on; fewer only at the end of the file.
  Result<void> hold(uint64_t position, uint64_t size);
  [[nodiscard]] std::string path(const char* name) const;

  const io::Source& source_;
  Bytes window_;
  uint64_t window_begin_ = 0;
  uint64_t run_begin_ = 0;  // since then no bytes were passed over
  std::vector<WireScope> scopes_;
};

}  // namespace ambry::formats::onnx
