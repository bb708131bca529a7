// Reads the fields of a plan's JSON (cnn_plan.h), with errors that name their place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/concat.h"
#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

// The name of the input in nodes.
inline constexpr std::string_view kPlanInputName = "x";

// `path` is the path inside the plan.
[[nodiscard]] inline Failure plan_error(const io::Json& value, const Text& path,
                                        const Text& message, ErrorCode code = ErrorCode::BadValue) {
  return error_at(code, value.byte_offset(), {"plan.", path.str()}, message);
}

[[nodiscard]] inline Result<uint32_t> plan_integer(const io::Json& value, const Text& path) {
  if (value.is_uint() && value.uint() <= INT32_MAX) return static_cast<uint32_t>(value.uint());
  return plan_error(value, path, "expected an integer of 0 or more");
}

[[nodiscard]] inline std::string plan_item(std::string_view list, size_t i) {
  return concat({list, "[", uint64_t{i}, "]"});
}

}  // namespace ambry::model
