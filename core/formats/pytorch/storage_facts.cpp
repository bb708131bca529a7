#include "formats/pytorch/storage_facts.h"

namespace ambry::formats::pytorch {

using Kind = Node::Kind;

std::optional<StorageFacts> storage_facts(const Pickle& pickle, const Node& storage) {
  if (storage.kind != Kind::Storage) return std::nullopt;
  Pickle::Items facts = pickle.items(pickle.node(storage.first));
  const bool has_view = facts.left() == 6;
  if (facts.left() != 5 && !has_view) return std::nullopt;
  const Node& word = pickle.node(facts.next());
  const Node& type = pickle.node(facts.next());
  const Node& key = pickle.node(facts.next());
  facts.next();
  const NodeId count = facts.next();
  const bool is_view = has_view && pickle.node(facts.next()).kind != Kind::None;
  if (word.kind != Kind::Text || pickle.text(word) != "storage" || key.kind != Kind::Text ||
      type.kind != Kind::Global || is_view) {
    return std::nullopt;
  }
  const KnownGlobal& known = kKnownGlobals[static_cast<size_t>(type.number)];
  if (known.role != GlobalRole::StorageType) return std::nullopt;
  return StorageFacts{known.dtype, pickle.text(key), count};
}

}  // namespace ambry::formats::pytorch
