// Reads metadata values of GGUF's 13 types, one after another.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"
#include "io/json/json.h"

namespace ambry::formats::gguf {

class ValueReader {
 public:
  struct Array {
    ValueType type = ValueType::U8;
    uint64_t length = 0;
    uint64_t at = 0;  // where it starts, at its element type
  };

  ValueReader(io::ByteReader& reader, io::Diagnostics& diagnostics)
      : reader_(reader), diagnostics_(diagnostics) {}

  // How many bytes to request beyond those of the current array when bytes are missing.
  void set_read_ahead(uint64_t size) {
    read_ahead_ = size;
    reader_.set_read_ahead(size);
  }

  // Whether texts that are not UTF-8 are shown with U+FFFD in place of their bad parts, which is a
  // warning. Otherwise they are errors.
  void set_lenient_texts(bool lenient) { lenient_texts_ = lenient; }

  [[nodiscard]] Result<ValueType> read_type(const char* field);
  // Reads the element type and the length, and checks them against the remaining bytes.
  [[nodiscard]] Result<Array> read_array_head();
  // Skips the elements of an array.
  [[nodiscard]] Result<void> skip_elements(const Array& array, int depth = 1);
  // Returns the value as JSON. For a long array, only its type and length.
  [[nodiscard]] Result<io::Json> read_value(ValueType type, int depth = 0);

  // The summary of a long array: `{"array": "f32", "length": 32000}`.
  [[nodiscard]] static io::Json summary_of(const Array& array);

 private:
  [[nodiscard]] Result<io::Json> read_number(ValueType type);
  [[nodiscard]] Result<io::Json> read_string();
  [[nodiscard]] Result<io::Json> read_bool();
  [[nodiscard]] Result<io::Json> read_array(int depth);

  io::ByteReader& reader_;
  io::Diagnostics& diagnostics_;
  uint64_t shown_elements_ = 0;  // in all arrays
  uint64_t read_ahead_ = 0;
  bool lenient_texts_ = false;
};

}  // namespace ambry::formats::gguf
