// Values that cross the border: bytes and counts from JavaScript, texts to it.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ambry::wasm {

// A Uint8Array. It is copied into the heap in one piece; as a std::string, embind would copy it
// byte by byte.
EMSCRIPTEN_DECLARE_VAL_TYPE(JsBytes)

// A string. A std::string would cross more slowly: embind looks at each of its bytes.
EMSCRIPTEN_DECLARE_VAL_TYPE(JsText)

[[nodiscard]] JsText js_text(const std::string& utf8);

[[nodiscard]] std::string text_of(const JsBytes& bytes);

// The floats in bytes of any alignment. An incomplete float at the end is left out.
[[nodiscard]] std::vector<float> floats_of(const JsBytes& bytes);

// The u32 in bytes of any alignment. An incomplete one at the end is left out.
[[nodiscard]] std::vector<uint32_t> counts_of(const JsBytes& bytes);

// BadValue unless an array in JavaScript can have this length: an integer below 2^32.
[[nodiscard]] Result<uint64_t> count_of(double number, const char* path);

}  // namespace ambry::wasm
