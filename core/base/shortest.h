// The shortest decimal number that rounds to a given float, as a double: 1e-5, not
// 9.999999747378752e-06.
#pragma once

namespace ambry {

// Converting the result back gives the same bits as `value`.
[[nodiscard]] double shortest_double(float value);

}  // namespace ambry
