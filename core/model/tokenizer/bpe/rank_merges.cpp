#include "model/tokenizer/bpe/rank_merges.h"

#include <array>
#include <string>
#include <vector>

#include "base/order.h"
#include "model/tokenizer/bpe/bpe_word.h"
#include "model/tokenizer/bpe/byte_alphabet.h"
#include "model/tokenizer/bpe/merge_table.h"

namespace ambry::model {
namespace {

struct Parts {
  uint32_t left = 0;
  uint32_t right = 0;
  bool known = false;
};

std::array<uint32_t, 256> ids_of_bytes(const Vocabulary& tokens) {
  std::array<uint32_t, 256> ids{};
  for (uint32_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id].size() == 1) ids[static_cast<uint8_t>(tokens[id][0])] = id;
  }
  return ids;
}

// Wherever a token is made, its own bytes were merged by their ranks until two parts were left. So
// merging the token by itself shows the only two parts that it is ever made of. All merges before
// are of shorter tokens, which therefore come first here, whatever their ranks are.
std::vector<Parts> parts_of(const Vocabulary& tokens) {
  const std::array<uint32_t, 256> bytes = ids_of_bytes(tokens);
  const auto shorter = [&](uint32_t a, uint32_t b) { return tokens[a].size() < tokens[b].size(); };
  std::vector<Parts> parts(tokens.size());
  MergeTable merges(tokens.size());
  BpeWord word;
  std::vector<BpePart> left_over;
  for (const uint32_t id : sorted_order(tokens.size(), shorter)) {
    if (tokens[id].size() < 2) continue;
    word.clear();
    for (const char byte : tokens[id]) word.add({bytes[static_cast<uint8_t>(byte)], 1});
    word.merge(merges);
    left_over.clear();
    word.take(left_over);
    if (left_over.size() != 2) continue;
    parts[id] = {left_over[0].id, left_over[1].id, true};
    merges.set(parts[id].left, parts[id].right, {id, id});
  }
  return parts;
}

}  // namespace

Vocabulary merges_by_rank(const Vocabulary& tokens) {
  Vocabulary merges;
  std::string spelled;
  const auto add = [&](uint32_t id) {
    spelled.clear();
    ByteAlphabet::instance().append_spelled(tokens[id], spelled);
    merges.push_back(spelled);
  };
  for (const Parts& each : parts_of(tokens)) {
    if (!each.known) continue;
    add(each.left);
    add(each.right);
  }
  return merges;
}

}  // namespace ambry::model
