// Reads little-endian fields from a Source, one after another. On failure it builds the error: the
// offset where the field starts and the path of the nested scopes.
//
//   ByteReader reader(source, 0);
//   auto scope = reader.enter("tensors", 3);          // paths below read tensors[3].…
//   AMBRY_TRY(const uint32_t n_dims, reader.read<uint32_t>("ndim"));
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "io/source.h"

namespace ambry::io {

class ByteReader {
 public:
  static constexpr uint64_t kNoIndex = UINT64_MAX;

  explicit ByteReader(const Source& source, uint64_t position = 0)
      : source_(source), position_(position) {}

  [[nodiscard]] uint64_t position() const { return position_; }
  [[nodiscard]] uint64_t remaining() const {
    return position_ < source_.size() ? source_.size() - position_ : 0;
  }
  void seek(uint64_t position) { position_ = position; }

  // When bytes are missing, asks for at least `size` of them. A header of unknown length then takes
  // a few requests instead of one for each field.
  void set_read_ahead(uint64_t size) { read_ahead_ = size; }

  // Reads a little-endian integer. Here and below, `field` is the name of the field in a path.
  template <std::integral T>
  [[nodiscard]] Result<T> read(const char* field) {
    AMBRY_TRY(const uint64_t value, read_unsigned(sizeof(T), field));
    return static_cast<T>(value);
  }

  // Reads `size` raw bytes. The result borrows from the Source.
  [[nodiscard]] Result<Bytes> read_bytes(uint64_t size, const char* field);

  // Reads `size` bytes of well-formed UTF-8. BadValue at the first invalid byte.
  [[nodiscard]] Result<std::string_view> read_utf8(uint64_t size, const char* field);

  // Skips `size` bytes without reading them. Truncated when the file ends before.
  [[nodiscard]] Result<void> skip(uint64_t size, const char* field);

  // Checks an untrusted count against the bytes that remain, before anything is reserved for it.
  [[nodiscard]] Result<void> check_count(uint64_t count, uint64_t min_record_bytes,
                                         const char* field, uint64_t field_offset) const;

  // BadValue when the file has more bytes after the current position.
  [[nodiscard]] Result<void> expect_end() const;

  // Makes an error about `field`, which starts at `offset`, under the current path.
  [[nodiscard]] Failure fail(ErrorCode code, uint64_t offset, const char* field,
                             const Text& message) const;

  class Scope {
   public:
    explicit Scope(ByteReader& reader) : reader_(reader) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { reader_.scopes_.pop_back(); }

   private:
    ByteReader& reader_;
  };
  // `name` must outlive the scope (a string literal).
  [[nodiscard]] Scope enter(std::string_view name, uint64_t index = kNoIndex) {
    scopes_.push_back({name, index});
    return Scope(*this);
  }

  // The path of `field` in the current scopes, such as `tensors[3].name`.
  [[nodiscard]] std::string path_of(const char* field) const;

 private:
  struct ScopeName {
    std::string_view name;
    uint64_t index;
  };

  [[nodiscard]] Result<uint64_t> read_unsigned(size_t size, const char* field);

  const Source& source_;
  uint64_t position_;
  uint64_t read_ahead_ = 0;
  std::vector<ScopeName> scopes_;
};

}  // namespace ambry::io
