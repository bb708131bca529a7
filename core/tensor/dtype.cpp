#include "tensor/dtype.h"

#include <array>
#include <cassert>
#include <cstddef>

namespace ambry::tensor {
namespace {

struct DTypeFacts {
  std::string_view name;
  uint32_t size;
};

// In the order of DType; a size of 0 means quantised.
constexpr std::array<DTypeFacts, 19> kFacts = {{{"f32", 4},
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
                                                {"bool", 1},
                                                {"int8", 0},
                                                {"int4", 0},
                                                {"int5", 0},
                                                {"int4_block", 0},
                                                {"int5_block", 0},
                                                {"adaptive", 0}}};

}  // namespace

bool is_plain(DType dtype) { return kFacts[static_cast<size_t>(dtype)].size != 0; }

uint32_t dtype_size(DType dtype) {
  assert(is_plain(dtype));
  return kFacts[static_cast<size_t>(dtype)].size;
}

std::string_view dtype_name(DType dtype) { return kFacts[static_cast<size_t>(dtype)].name; }

bool is_float(DType dtype) { return dtype <= DType::F64; }

}  // namespace ambry::tensor
