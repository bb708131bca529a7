// The header of a fastText file: its version and the options of its training.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/json/json.h"

namespace ambry::formats::fasttext {

// The training options, in file order.
struct Args {
  uint32_t dims = 0;
  uint32_t window_size = 0;
  uint32_t epoch = 0;
  uint32_t min_count = 0;
  uint32_t neg = 0;
  uint32_t word_ngrams = 0;
  uint32_t loss = 0;
  uint32_t model = 0;
  uint32_t bucket = 0;
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  uint32_t lr_update_rate = 0;
  double sampling_threshold = 0;
};

struct Header {
  uint32_t version = 0;
  Args args;
};

// Reads the first kHeaderBytes.
[[nodiscard]] Result<Header> read_header(io::ByteReader& reader);

// The options in the form in which the reference program writes them to finalfusion files.
[[nodiscard]] io::Json metadata_of(const Args& args);

}  // namespace ambry::formats::fasttext
