#include "model/cnn/cnn_blocks.h"

#include <gtest/gtest.h>

#include <functional>

namespace ambry::model {
namespace {

// Kernel, stride, padding, in, out.
CnnTable table_of(std::vector<CnnLayer> convs, int32_t channels) {
  CnnTable table;
  table.convs = std::move(convs);
  table.linears = {{1, 1, 0, 2 * channels, 6}, {1, 1, 0, 6, 3}};
  table.batch_norms = {{1, 1, 0, 2 * channels, 2 * channels}, {1, 1, 0, 6, 6}};
  return table;
}

CnnTable basic() {
  return table_of({{7, 2, 3, 3, 4},
                   {3, 1, 1, 4, 4},
                   {3, 1, 1, 4, 4},
                   {3, 2, 1, 4, 8},
                   {3, 1, 1, 8, 8},
                   {1, 2, 0, 4, 8},
                   {3, 1, 1, 8, 8},
                   {3, 1, 1, 8, 8}},
                  8);
}

struct Wanted {
  size_t first, n_convs;
  bool shortcut;
};

void expect_blocks(const CnnTable& table, const std::vector<Wanted>& wanted) {
  const auto blocks = cnn_blocks(table);
  ASSERT_TRUE(blocks) << describe(blocks.error());
  ASSERT_EQ(blocks->size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ((*blocks)[i].first, wanted[i].first) << i;
    EXPECT_EQ((*blocks)[i].n_convs, wanted[i].n_convs) << i;
    EXPECT_EQ((*blocks)[i].shortcut, wanted[i].shortcut) << i;
  }
}

TEST(CnnBlocks, ReadsBasicBlocks) {
  expect_blocks(basic(), {{1, 2, false}, {3, 2, true}, {6, 2, false}});
}

TEST(CnnBlocks, ReadsBottlenecks) {
  const CnnTable table = table_of({{7, 2, 3, 3, 4},
                                   {1, 1, 0, 4, 2},
                                   {3, 1, 1, 2, 2},
                                   {1, 1, 0, 2, 8},
                                   {1, 1, 0, 4, 8},
                                   {1, 1, 0, 8, 2},
                                   {3, 1, 1, 2, 2},
                                   {1, 1, 0, 2, 8}},
                                  8);
  expect_blocks(table, {{1, 3, true}, {5, 3, false}});
}

TEST(CnnBlocks, RejectsTablesOutsideTheGrammar) {
  const std::pair<const char*, std::function<void(CnnTable&)>> kFaults[] = {
      {"conv", [](CnnTable& t) { t.convs.clear(); }},
      {"conv[1]", [](CnnTable& t) { t.convs.resize(1); }},
      {"conv[1]", [](CnnTable& t) { t.convs[1].kernel = 5; }},
      {"conv[1]", [](CnnTable& t) { t.convs[2].in = 3; }},
      {"conv[1]", [](CnnTable& t) { t.convs[2].padding = 0; }},
      {"conv[5]", [](CnnTable& t) { t.convs.erase(t.convs.begin() + 5); }},
      {"conv[5]", [](CnnTable& t) { t.convs[5].stride = 1; }},
      {"conv[5]", [](CnnTable& t) { t.convs.resize(5); }},
      {"conv[6]", [](CnnTable& t) { t.convs.pop_back(); }},
      {"linear", [](CnnTable& t) { t.linears.pop_back(); }},
      {"linear", [](CnnTable& t) { t.batch_norms.clear(); }},
      {"linear[0]", [](CnnTable& t) { t.linears[1].in = 5; }},
      {"linear[0]", [](CnnTable& t) { t.batch_norms[0].out = 8; }},
  };
  for (const auto& [path, damage] : kFaults) {
    CnnTable table = basic();
    damage(table);
    const auto blocks = cnn_blocks(table);
    ASSERT_FALSE(blocks) << path;
    EXPECT_EQ(blocks.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(blocks.error().path, path) << describe(blocks.error());
  }
}

}  // namespace
}  // namespace ambry::model
