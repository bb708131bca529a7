// Reads little-endian fields one after another from a Source and owns the mechanics of errors:
// the offset of the field's start and the path of nested scopes, built only on failure.
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

  // Where bytes are missing, ask for at least `size` of them: a contiguous header whose length
  // nothing states then takes a few requests instead of one a field.
  void set_read_ahead(uint64_t size) { read_ahead_ = size; }

  // A little-endian integer. `field`, here and below, is its name in a path.
  template <std::integral T>
  [[nodiscard]] Result<T> read(const char* field) {
    AMBRY_TRY(const uint64_t value, read_unsigned(sizeof(T), field));
    return static_cast<T>(value);
  }

  // `size` raw bytes, borrowed from the Source.
  [[nodiscard]] Result<Bytes> read_bytes(uint64_t size, const char* field);

  // `size` bytes of well-formed UTF-8 (BadValue at the first byte that is not).
  [[nodiscard]] Result<std::string_view> read_utf8(uint64_t size, const char* field);

  // `size` bytes passed over without being looked at; Truncated when the file ends before.
  [[nodiscard]] Result<void> skip(uint64_t size, const char* field);

  // Checks an untrusted count against the bytes that remain, before anything is reserved.
  [[nodiscard]] Result<void> check_count(uint64_t count, uint64_t min_record_bytes,
                                         const char* field, uint64_t field_offset) const;

  // BadValue when anything follows.
  [[nodiscard]] Result<void> expect_end() const;

  // An error about `field`, which starts at `offset`, under the current path.
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

  // `tensors[3].name` for the field `name` in the current scopes.
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
