// The header and the tables of a file of a given variant, as they stand there.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "formats/tinyruntime/layout.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime {

// `bytes` starts with a whole header; fields that the variant lacks are 0.
[[nodiscard]] Header read_header(CnnVariant variant, Bytes bytes);

// Where the tables lie, for counts that are not negative.
struct TablePlaces {
  std::array<uint64_t, 3> layers{};  // by kind
  uint64_t activations = 0;
  uint64_t end = 0;
};
[[nodiscard]] TablePlaces place_tables(CnnVariant variant, const Header& header);

struct Entry {
  model::CnnLayer layer;
  std::array<int32_t, 2> offsets{};
};
// `bytes` starts with a whole entry.
[[nodiscard]] Entry read_entry(CnnVariant variant, CnnKind kind, Bytes bytes);
[[nodiscard]] model::CnnActivation read_activation(Bytes bytes);

// Passes the parameters of a layer; nothing when the end passes 64 bits.
[[nodiscard]] std::optional<Position> after(Position position,
                                            const std::vector<model::CnnTensor>& tensors);

}  // namespace ambry::formats::tinyruntime
