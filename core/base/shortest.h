// The shortest decimal number that a float rounds to, as a double: 1e-5, not
// 9.999999747378752e-06.
#pragma once

namespace ambry {

// Converting the result back gives `value` again, to the bit.
[[nodiscard]] double shortest_double(float value);

}  // namespace ambry
