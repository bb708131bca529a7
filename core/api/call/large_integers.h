// Integers that JavaScript's JSON.parse would round.
#pragma once

#include "io/json/json.h"

namespace ambry::api {

// [[[key or index, …], digits], …]: where `value` has integers beyond ±(2^53 − 1), and their
// digits.
[[nodiscard]] io::Json large_integers(const io::Json& value);

}  // namespace ambry::api
