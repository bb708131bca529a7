#include "handles.h"

#include <algorithm>
#include <vector>

namespace ambry::wasm {
namespace {

struct Entry {
  Handle handle;
  HeldObject held;
};

// A worker holds a handful of objects at a time.
std::vector<Entry>& entries() {
  static std::vector<Entry> all;
  return all;
}

Entry* find_entry(Handle handle) {
  for (Entry& entry : entries()) {
    if (entry.handle == handle) return &entry;
  }
  return nullptr;
}

}  // namespace

Handle hold(const HeldObject& object) {
  static Handle last = 0;
  entries().push_back({++last, object});
  return last;
}

bool release(Handle handle) {
  Entry* const entry = find_entry(handle);
  if (entry == nullptr) return false;
  entry->held.destroy(entry->held.object);
  entries().erase(entries().begin() + (entry - entries().data()));
  return true;
}

void* find_held(Handle handle, const void* kind) {
  const Entry* const entry = find_entry(handle);
  return entry != nullptr && entry->held.kind == kind ? entry->held.object : nullptr;
}

api::ByteSink* find_sink(Handle handle) {
  const Entry* const entry = find_entry(handle);
  return entry != nullptr ? entry->held.sink : nullptr;
}

Failure not_held() {
  return make_error(ErrorCode::NotFound, "handle", "this was released already");
}

}  // namespace ambry::wasm
