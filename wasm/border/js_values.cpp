#include "border/js_values.h"

#include <emscripten/bind.h>
#include <emscripten/em_js.h>

#include <cstddef>

#include "base/error.h"

// clang-format off
EM_JS_DEPS(ambry_js_values, "$Emval,$UTF8Decoder");
EM_JS(size_t, ambry_byte_length, (emscripten::EM_VAL bytes), {
  return Emval.toValue(bytes).length;
});
// `size` is at most the length.
EM_JS(void, ambry_copy_bytes, (emscripten::EM_VAL bytes, void* target, size_t size), {
  HEAPU8.set(Emval.toValue(bytes).subarray(0, size), target >>> 0);
});
// A copy is decoded, because browsers refuse to decode shared memory.
EM_JS(emscripten::EM_VAL, ambry_text, (const char* utf8, size_t size), {
  const start = utf8 >>> 0;
  return Emval.toHandle(UTF8Decoder.decode(HEAPU8.slice(start, start + size)));
});
// clang-format on

namespace ambry::wasm {

JsText js_text(const std::string& utf8) {
  return JsText(emscripten::val::take_ownership(ambry_text(utf8.data(), utf8.size())));
}

std::string text_of(const JsBytes& bytes) {
  std::string text(ambry_byte_length(bytes.as_handle()), '\0');
  ambry_copy_bytes(bytes.as_handle(), text.data(), text.size());
  return text;
}

std::vector<float> floats_of(const JsBytes& bytes) {
  std::vector<float> floats(ambry_byte_length(bytes.as_handle()) / sizeof(float));
  ambry_copy_bytes(bytes.as_handle(), floats.data(), floats.size() * sizeof(float));
  return floats;
}

std::vector<uint32_t> counts_of(const JsBytes& bytes) {
  std::vector<uint32_t> counts(ambry_byte_length(bytes.as_handle()) / sizeof(uint32_t));
  ambry_copy_bytes(bytes.as_handle(), counts.data(), counts.size() * sizeof(uint32_t));
  return counts;
}

Result<uint64_t> count_of(double number, const char* path) {
  if (number >= 0 && number < 4294967296.0) return static_cast<uint64_t>(number);
  return make_error(ErrorCode::BadValue, path, "no number of numbers");
}

}  // namespace ambry::wasm

EMSCRIPTEN_BINDINGS(ambry_js_values) {
  emscripten::register_type<ambry::wasm::JsBytes>("Uint8Array");
  emscripten::register_type<ambry::wasm::JsText>("string");
}
