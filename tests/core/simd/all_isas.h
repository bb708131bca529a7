// simd::AllIsas as GoogleTest's types: TYPED_TEST_SUITE(DotTest, TypedIsas, IsaNames);
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "simd/isa.h"

namespace ambry {

template <class List>
struct ToGtestTypes;
template <class... Isas>
struct ToGtestTypes<simd::IsaList<Isas...>> {
  using Types = ::testing::Types<Isas...>;
};
using TypedIsas = ToGtestTypes<simd::AllIsas>::Types;

struct IsaNames {
  template <class V>
  static std::string GetName(int) {
    return V::kName;
  }
};

}  // namespace ambry
