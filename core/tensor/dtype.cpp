#include "tensor/dtype.h"

#include <array>
#include <cstddef>

namespace ambry::tensor {
namespace {

struct DTypeFacts {
  std::string_view name;
  uint32_t size;
};

// In the order of DType.
constexpr std::array<DTypeFacts, 13> kFacts = {{{"f32", 4},
                                                {"f16", 2},
                                                {"bf16", 2},
                                                {"f64", 8},
                                                {"i8", 1},
                                                {"i16", 2},
                                                {"i32", 4},
                                                {"i64", 8},
                                                {"u8", 1},
                                                {"u16", 2},
                                                {"u32", 4},
                                                {"u64", 8},
                                                {"bool", 1}}};

}  // namespace

uint32_t dtype_size(DType dtype) { return kFacts[static_cast<size_t>(dtype)].size; }

std::string_view dtype_name(DType dtype) { return kFacts[static_cast<size_t>(dtype)].name; }

bool is_float(DType dtype) { return dtype <= DType::F64; }

}  // namespace ambry::tensor
