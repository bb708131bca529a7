#include "border/handles.h"

#include <mutex>
#include <vector>

#include "base/threads/spin_lock.h"

namespace ambry::wasm {
namespace {

struct Entry {
  Handle handle;
  HeldObject held;
};

// A worker holds a handful of objects at a time. Instances over one memory use the same table.
struct Table {
  SpinLock lock;
  std::vector<Entry> entries;
  Handle last = 0;

  Entry* find(Handle handle) {
    for (Entry& entry : entries) {
      if (entry.handle == handle) return &entry;
    }
    return nullptr;
  }
};

constinit Table table;

}  // namespace

HeldObject held_as(Handle handle) {
  const std::lock_guard guard(table.lock);
  const Entry* const entry = table.find(handle);
  return entry != nullptr ? entry->held : HeldObject{};
}

Handle hold(const HeldObject& object) {
  const std::lock_guard guard(table.lock);
  table.entries.push_back({++table.last, object});
  return table.last;
}

bool release(Handle handle) {
  HeldObject held;
  {
    const std::lock_guard guard(table.lock);
    Entry* const entry = table.find(handle);
    if (entry == nullptr) return false;
    held = entry->held;
    table.entries.erase(table.entries.begin() + (entry - table.entries.data()));
  }
  held.destroy(held.object);
  return true;
}

void* find_held(Handle handle, const void* kind) {
  const HeldObject held = held_as(handle);
  if (held.kind == kind) return held.object;
  return held.interface_kind == kind ? held.interface : nullptr;
}

Failure not_held() {
  return make_error(ErrorCode::NotFound, "handle", "this was released already");
}

}  // namespace ambry::wasm
