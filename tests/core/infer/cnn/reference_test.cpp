// tinyRuntime's own runs: logits and every layer's checksum, bit for bit.
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>

#include "data_files.h"
#include "infer/cnn/read_network.h"
#include "infer/cnn/scalar_twin.h"
#include "infer/cnn/trace.h"
#include "io/json/json.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::infer {
namespace {

using testing::File;
using Kind = CnnTraceEntry::Kind;

std::vector<float> floats(const File& file) {
  std::vector<float> values(file.size() / sizeof(float));
  std::memcpy(values.data(), file.data(), file.size());
  return values;
}

uint32_t hex(const io::Json& value) {
  uint32_t number = 0;
  std::from_chars(value.string().data(), value.string().data() + value.string().size(), number, 16);
  return number;
}

// The graph that the case names, through a plan where it is no ResNet.
model::CnnGraph graph_of(const io::Json& expected, const model::CnnTable& table) {
  const io::Json& graph = *expected.find("graph");
  if (!graph.is_object()) return *model::residual_graph(table, 224);
  io::Json plan = io::Json::object();
  plan.set("input", *expected.find("input_shape"));
  plan.set("ops", *graph.find("ops"));
  auto read = model::read_cnn_plan(plan.dump());
  EXPECT_TRUE(read) << describe(read.error());
  return read->graph;
}

// What the reference's trace has of ours: layers, norms and what goes into them, and quantisations.
std::vector<CnnTraceEntry> traced(const CnnTrace& trace) {
  std::vector<CnnTraceEntry> entries;
  for (const CnnTraceEntry& entry : trace.entries()) {
    const bool layer = entry.op == "conv" || entry.op == "linear" || entry.op == "batchnorm";
    if (layer || entry.kind != Kind::Value) entries.push_back(entry);
  }
  return entries;
}

void expect_same(const CnnTraceEntry& entry, const io::Json& wanted) {
  std::string op = wanted.find("op")->string();
  if (op.ends_with("_q")) op.resize(op.size() - 2);
  if (op == "bn_in") op = "norm_input";
  EXPECT_EQ(entry.op, op);
  if (entry.kind == Kind::Codes) {
    EXPECT_EQ(entry.count, wanted.find("n")->uint());
    EXPECT_EQ(entry.group, wanted.find("gs")->uint());
    EXPECT_EQ(entry.crc, hex(*wanted.find("q_crc32")));
    EXPECT_EQ(entry.scale_crc, hex(*wanted.find("scale_crc32")));
    EXPECT_EQ(entry.has_zero_points, wanted.find("zp_crc32")->is_string());
    if (entry.has_zero_points) {
      EXPECT_EQ(entry.zero_point_crc, hex(*wanted.find("zp_crc32")));
    }
    return;
  }
  EXPECT_EQ(entry.crc, hex(*wanted.find("crc32")));
  EXPECT_EQ(entry.is_bytes, wanted.find("dtype")->string() == "u8");
  if (entry.kind == Kind::Value) {
    EXPECT_EQ(entry.index, wanted.find("i")->uint());
  }
}

class CnnReference : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("tinyruntime");
    folder_ = ambry::testing::data_folder() / "tinyruntime";
  }

  void expect_case(const std::filesystem::path& path) const {
    const File text = *ambry::testing::read_file(path);
    const auto expected = io::parse_json(as_text(text));
    ASSERT_TRUE(expected) << describe(expected.error());
    const auto weights = testing::read_weights(
        *ambry::testing::read_file(folder_ / "models" / expected->find("model")->string()));
    const auto network = CnnNetwork::create(weights, graph_of(*expected, weights->table));
    ASSERT_TRUE(network) << describe(network.error());
    const auto input =
        floats(*ambry::testing::read_file(folder_ / "inputs" / expected->find("input")->string()));
    CnnTrace trace(*network);
    const auto logits = testing::run_network(*network, input, &trace);
    ASSERT_TRUE(logits) << describe(logits.error());
    const auto& wanted = expected->find("logits_f32_hex")->items();
    ASSERT_EQ(logits->size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const auto bits = std::bit_cast<uint32_t>((*logits)[i]);
      EXPECT_EQ(__builtin_bswap32(bits), hex(wanted[i])) << i;
    }
    const auto entries = traced(trace);
    const auto& steps = expected->find("trace")->items();
    ASSERT_EQ(entries.size(), steps.size());
    for (size_t i = 0; i < steps.size() && !HasFailure(); ++i) {
      SCOPED_TRACE(concat({"step ", uint64_t{i}, " ", steps[i].find("op")->string()}));
      expect_same(entries[i], steps[i]);
    }
  }

  std::filesystem::path folder_;
};

TEST_F(CnnReference, EveryRunIsMetBitForBit) {
  size_t n_cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "expected")) {
    SCOPED_TRACE(entry.path().filename().string());
    expect_case(entry.path());
    ++n_cases;
  }
  EXPECT_EQ(n_cases, 33U);
}

}  // namespace
}  // namespace ambry::infer
