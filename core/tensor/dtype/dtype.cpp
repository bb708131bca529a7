#include "tensor/dtype/dtype.h"

#include <cassert>

#include "tensor/dtype/dtype_table.h"

namespace ambry::tensor {

Block block_of(DType dtype) { return dtype_column<&DTypeRow::block>(dtype); }

bool is_plain(DType dtype) { return dtype_column<&DTypeRow::kind>(dtype) != ElementKind::Stored; }

uint32_t dtype_size(DType dtype) {
  assert(is_plain(dtype));
  return block_of(dtype).bytes;
}

std::string_view dtype_name(DType dtype) { return dtype_column<&DTypeRow::name>(dtype); }

bool is_float(DType dtype) { return dtype_column<&DTypeRow::kind>(dtype) == ElementKind::Float; }

}  // namespace ambry::tensor
