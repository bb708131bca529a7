#include "infer/check_outputs.h"

#include <algorithm>
#include <cmath>

namespace ambry::infer {

Result<void> check_outputs(std::span<const float> outputs, const Text& path) {
  if (std::ranges::all_of(outputs, [](float x) { return std::isfinite(x); })) return {};
  return make_error(ErrorCode::BadValue, path,
                    "the model gives no finite number; its weights may be damaged");
}

}  // namespace ambry::infer
