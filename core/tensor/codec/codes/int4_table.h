// The numbers for which the codes of IQ4_NL and IQ4_XS stand: closer together near zero, where most
// weights are.
#pragma once

#include <array>
#include <cstdint>

namespace ambry::tensor {

inline constexpr std::array<int8_t, 16> kInt4Table = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                      1,    13,   25,  38,  53,  69,  89,  113};

}  // namespace ambry::tensor
