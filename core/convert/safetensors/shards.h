// Weights split over several safetensors files: `model.safetensors.index.json` says which tensor
// lies in which of them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "convert/source_files.h"
#include "convert/source_model.h"

namespace ambry::convert {

inline constexpr std::string_view kShardIndex = "model.safetensors.index.json";

// Whether the index speaks of the main file. As in the library that writes them, a file called
// model.safetensors is whole whatever an index beside it says.
[[nodiscard]] bool is_sharded(const SourceFiles& sources);

// The tensors of all shards. NotFound for a shard that is not among the sources or a tensor that is
// in none, Mismatch for a tensor that lies in another shard than the index says or in none of its,
// BadValue for one that lies in two; the paths start with a file's name. Restartable.
[[nodiscard]] Result<SourceModel> read_shards(const SourceFiles& sources);

}  // namespace ambry::convert
