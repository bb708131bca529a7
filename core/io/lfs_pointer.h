// Git LFS keeps large files apart. A clone without it has a small text in the place of each.
#pragma once

#include <string_view>

#include "base/result.h"

namespace ambry::io {

// How such a text starts.
inline constexpr std::string_view kLfsPointer = "version https://git-lfs";

inline constexpr std::string_view kLfsPointerName =
    "a Git LFS pointer: the file itself was not downloaded; fetch it with git lfs pull";

// The error for a file, `path`, that is such a text.
[[nodiscard]] inline Failure lfs_pointer_error(const Text& path) {
  return error_at(ErrorCode::BadMagic, 0, path, {"this is ", kLfsPointerName});
}

}  // namespace ambry::io
