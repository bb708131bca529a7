// Weights split over several safetensors files. `model.safetensors.index.json` says which file has
// which tensor.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/source_files.h"
#include "convert/source_model.h"

namespace ambry::convert {

inline constexpr std::string_view kShardIndex = "model.safetensors.index.json";

// Whether the index lists the main file. As in the library that writes these files, a file named
// model.safetensors is complete whatever the index beside it says.
[[nodiscard]] bool is_sharded(const SourceFiles& sources);

// The tensors of all shards. NotFound for a missing shard and for a tensor that is in no shard.
// Mismatch for a tensor that is in another shard than the index says, or that the index does not
// list. BadValue for a tensor that is in two. Paths start with a file name. On NeedBytes, load the
// bytes and call it again.
[[nodiscard]] Result<SourceModel> read_shards(const SourceFiles& sources);

}  // namespace ambry::convert
