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

// How many elements lie between neighbours along each axis: {1, 6} for a matrix of 6 rows that is
// stored column by column, {0} for one element that stands for many.
using Strides = std::vector<uint64_t>;

struct StateDict {
  model::Model model;
  // By name, for tensors that are not stored row after row. Their `bytes` are those of all
  // elements, whatever part of the file holds them.
  std::map<std::string, Strides, std::less<>> strides;
};

// Names are the keys on the way to a tensor, joined by dots. Other numbers and texts become
// metadata under such names.
[[nodiscard]] Result<StateDict> parse_state_dict(const io::Source& source,
                                                 io::Diagnostics& diagnostics);

// For callers that do not need the order of elements. `bytes` of a tensor are those of the part of
// the file that holds it.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::pytorch
