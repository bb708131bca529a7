#include "error_to_js.h"

#include <string>

namespace ambry::wasm {

using emscripten::val;

val failure(const Error& error) {
  val document = val::object();
  document.set("code", std::string(error_code_name(error.code)));
  document.set("message", error.message);
  // Offsets are below 2^53 in every file that exists, so a double holds them exactly.
  if (error.byte_offset != kNoOffset) {
    document.set("byteOffset", static_cast<double>(error.byte_offset));
  }
  if (!error.path.empty()) document.set("path", error.path);
  if (error.code == ErrorCode::NeedBytes) {
    document.set("needSize", static_cast<double>(error.need_size));
  }
  val result = val::object();
  result.set("ok", false);
  result.set("error", document);
  return result;
}

val success(const val& value) {
  val result = val::object();
  result.set("ok", true);
  result.set("value", value);
  return result;
}

}  // namespace ambry::wasm
