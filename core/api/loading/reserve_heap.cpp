#include "api/loading/reserve_heap.h"

#include "base/aligned_buffer.h"

namespace ambry::api {

void reserve_heap(uint64_t bytes) {
  auto room = AlignedBuffer::allocate(bytes);
  if (!room || room->size() == 0) return;
  // Compilers remove memory that is not used.
  *static_cast<volatile uint8_t*>(room->data()) = 0;
}

}  // namespace ambry::api
