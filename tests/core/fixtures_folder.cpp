#include "fixtures_folder.h"

namespace ambry::testing {

std::filesystem::path fixtures_folder() { return AMBRY_FIXTURES; }

}  // namespace ambry::testing
