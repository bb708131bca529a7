// The header and tables of a file of a given variant, as stored.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "formats/tinyruntime/tinyruntime_layout.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime {

// `bytes` must start with a whole header. Fields that the variant does not have are 0.
[[nodiscard]] Header read_header(CnnVariant variant, Bytes bytes);

// The offsets of the tables. The counts must not be negative.
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
// `bytes` must start with a whole entry.
[[nodiscard]] Entry read_entry(CnnVariant variant, CnnKind kind, Bytes bytes);
[[nodiscard]] model::CnnActivation read_activation(Bytes bytes);

// The position after the parameters of a layer. Returns nothing when it passes 64 bits.
[[nodiscard]] std::optional<Position> after(Position position,
                                            const std::vector<model::CnnTensor>& tensors);

}  // namespace ambry::formats::tinyruntime
