#include "convert/plan/option_checks.h"

#include <algorithm>
#include <array>

namespace ambry::convert {

Result<void> check_lowercase(std::string_view from, const Options& options) {
  const bool is_directory = from == "safetensors" || from == "pytorch";
  if (!options.lowercase || (is_directory && options.to == "embd")) return {};
  return make_error(ErrorCode::Unsupported, "options.lowercase",
                    "only a directory with a vocab.txt that becomes embd needs this option "
                    "(--uncased or --cased); leave it out");
}

Result<void> check_task(std::string_view from, const Options& options) {
  const bool is_directory = from == "safetensors" || from == "pytorch";
  if (options.task.empty() || (is_directory && options.to == "embd")) return {};
  return make_error(ErrorCode::NotFound, "options.task",
                    {"a ", from, " file that becomes ", options.to, " has no adapters for tasks; ",
                     "only the directory of an encoder that becomes embd may have some"});
}

Result<void> check_dim(std::string_view from, const Options& options) {
  const bool may_be_static = from == "embd" || from == "safetensors" || from == "pytorch";
  if (!options.dim || (may_be_static && options.to == "embd")) return {};
  return cannot_be_cut();
}

Result<void> check_adapters(std::string_view from, const Options& options) {
  constexpr auto kBases =
      std::to_array<std::string_view>({"safetensors", "pytorch", "gguf", "amb", "alt", "embd"});
  if (options.adapters.empty() || std::ranges::find(kBases, from) != kBases.end()) return {};
  return make_error(
      ErrorCode::Unsupported, "options.adapter",
      {"adapters are merged into encoders and language models, and not into ", from, " files"});
}

Failure cannot_be_cut() {
  return make_error(ErrorCode::Unsupported, "options.dim",
                    "only static encoders that become embd can be cut; of the vectors of other "
                    "models, embed keeps the first numbers with its own option dim");
}

}  // namespace ambry::convert
