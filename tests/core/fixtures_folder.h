// Where tests/fixtures is. A function, because the path of the folder is different in every clone:
// as a macro of all tests it would keep ccache from knowing any of them again.
#pragma once

#include <filesystem>

namespace ambry::testing {

[[nodiscard]] std::filesystem::path fixtures_folder();

}  // namespace ambry::testing
