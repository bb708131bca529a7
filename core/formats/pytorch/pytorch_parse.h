// Reads PyTorch's checkpoints: the tensors of a state dict, at any depth of nested dicts, with
// their offsets in the archive. No code of the file is ever run (pickle.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::pytorch {

// The first bytes of an archive, which may hold something else.
inline constexpr std::string_view kZipMagic = "PK\x03\x04";

[[nodiscard]] Result<bool> probe(const io::Source& source);

// The axes of a tensor in storage order, outermost first: {1, 0} for a matrix stored column by
// column.
using StoredAxes = std::vector<uint8_t>;

struct StateDict {
  model::Model model;
  // By name, for tensors that are not stored row after row.
  std::map<std::string, StoredAxes, std::less<>> stored_axes;
};

// Names are the keys on the way to a tensor, joined by dots. Other numbers and texts become
// metadata under such names.
[[nodiscard]] Result<StateDict> parse_state_dict(const io::Source& source,
                                                 io::Diagnostics& diagnostics);

// For callers that do not need the order of elements.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::pytorch
