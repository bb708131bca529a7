#include "formats/tinyruntime/tinyruntime_write.h"

#include <gtest/gtest.h>

#include <functional>

#include "formats/conformance.h"
#include "formats/stream_layout.h"
#include "formats/tinyruntime/make_tinyruntime.h"
#include "formats/tinyruntime/tinyruntime_parse.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime {
namespace {

using io::Json;
using model::CnnKind;
using model::CnnLayer;
using model::CnnTable;
using model::CnnVariant;
using testing::File;
using testing::Maker;

model::Model model_of(const CnnTable& table) {
  model::Model model;
  model.config = model::cnn_config(table);
  for (const CnnKind kind : model::kCnnKinds) {
    for (size_t i = 0; i < table.of(kind).size(); ++i) {
      for (const model::CnnTensor& tensor : model::cnn_tensors(table, kind, i)) {
        model::TensorEntry entry;
        entry.name = tensor.name;
        entry.dtype = tensor.dtype;
        entry.shape = tensor.shape;
        model.tensors.push_back(entry);
      }
    }
  }
  return model;
}

CnnLayer conv(int32_t in, int32_t kernel) {
  CnnLayer layer;
  layer.kernel = kernel;
  layer.in = in;
  layer.out = 1;
  layer.bias = 1;
  layer.weight_group = 9;
  layer.bias_group = 1;
  layer.weight_scale = layer.out_scale = 0.5F;
  return layer;
}

CnnLayer linear(int32_t in, int32_t out, bool bias) {
  CnnLayer layer = conv(in, 1);
  layer.out = out;
  layer.bias = bias ? 1 : 0;
  layer.weight_group = in;
  layer.bias_group = bias ? out : 0;
  return layer;
}

// The network of the exporter's own unit tests: two convs, of which one had a batch norm, FC 3→2,
// BN 2, FC 2→1 without bias (core/formats/tinyruntime/README.md#unit-network).
CnnTable unit_network(CnnVariant variant, bool asymmetric) {
  CnnTable table;
  table.variant = variant;
  table.asymmetric = asymmetric;
  table.n_classes = 10;
  const bool static_ranges = variant == CnnVariant::Sq8;
  table.convs = {static_ranges ? conv(3, 224) : conv(1, 3), conv(1, 3)};
  // PyTorch's quantized layers carry a bias of zeros, and their batch norm is folded.
  table.linears = {linear(3, 2, true), linear(2, 1, static_ranges)};
  if (static_ranges) {
    table.activations.assign(5, {0.5F, 0});
  } else {
    CnnLayer norm;
    norm.in = norm.out = 2;
    table.batch_norms = {norm};
  }
  return table;
}

uint64_t written_size(CnnVariant variant, bool asymmetric) {
  model::Model model = model_of(unit_network(variant, asymmetric));
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  EXPECT_EQ(model.file_bytes, layout->total_bytes);
  return layout->total_bytes;
}

TEST(TinyRuntimeWrite, HasTheSizesOfTheExportersUnitTests) {
  EXPECT_EQ(written_size(CnnVariant::Vanilla, false), 264U);
  EXPECT_EQ(written_size(CnnVariant::Dq8, false), 250U);
  EXPECT_EQ(written_size(CnnVariant::Dq8, true), 282U);
  EXPECT_EQ(written_size(CnnVariant::Sq8, true), 150'785U);
}

// What is there in another order, with slack, becomes strict.
TEST(TinyRuntimeWrite, WritesLenientFilesAsStrictOnes) {
  Maker maker;
  maker.batch_norms = {5, 5};
  File file = maker.make();
  const uint64_t at = maker.places.batch_norms + 4;
  const auto first = load_le<int32_t>(file.data() + at);
  testing::put_at(file, at, first + 20);
  testing::put_at(file, at + 8, first);
  file.resize(file.size() + 5);
  const Format& format = *find_format("tinyruntime");
  const auto original =
      formats::testing::read(file, format, {.strictness = io::Strictness::Lenient});
  ASSERT_TRUE(original.accepted());
  model::Model model = *original.model;
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout);
  const File written = formats::testing::stream(*layout, *original.model, file);
  const auto again = formats::testing::read(written, format);
  ASSERT_TRUE(again.accepted());
  EXPECT_EQ(again.model->config.dump(), original.model->config.dump());
  const auto* before = original.model->find("batchnorm.0.weight");
  const auto* after = again.model->find("batchnorm.0.weight");
  EXPECT_EQ(load_le<float>(file.data() + before->offset),
            load_le<float>(written.data() + after->offset));
}

TEST(TinyRuntimeWrite, FindsTensorsInAnyOrder) {
  const File file = testing::make(CnnVariant::Dq8);
  const auto original = formats::testing::read(file, *find_format("tinyruntime"));
  ASSERT_TRUE(original.accepted());
  model::Model reversed = *original.model;
  std::ranges::reverse(reversed.tensors);
  model::Model model = reversed;
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout);
  EXPECT_EQ(formats::testing::stream(*layout, reversed, file), file);
}

struct Refusal {
  std::string name;
  ErrorCode code;
  std::string path;
  std::function<void(model::Model&)> change;
};

Json& layer(model::Model& model, size_t index) {
  // Json hands out its items for reading; the test owns the model.
  return const_cast<Json&>(model.config.find("layers")->items()[index]);
}

std::vector<Refusal> refusals() {
  using enum ErrorCode;
  using model::Model;
  return {
      {"NoConfig", BadValue, "config.variant", [](Model& m) { m.config = Json(); }},
      {"NoClasses", BadValue, "config.nclasses", [](Model& m) { m.config.set("nclasses", 0); }},
      {"UnknownVariant", BadValue, "config.variant",
       [](Model& m) { m.config.set("variant", "int4"); }},
      {"FlagIsNoTruth", BadValue, "config.asym", [](Model& m) { m.config.set("asym", 1); }},
      {"NoLayers", BadValue, "config.layers", [](Model& m) { m.config.set("layers", 3); }},
      {"UnknownKind", BadValue, "config.layers[0].kind",
       [](Model& m) { layer(m, 0).set("kind", "lstm"); }},
      {"StrideZero", BadValue, "config.layers[1].stride",
       [](Model& m) { layer(m, 1).set("stride", 0); }},
      {"WholeNumberIsText", BadValue, "config.layers[0].k",
       [](Model& m) { layer(m, 0).set("k", "3"); }},
      {"GroupDoesNotDivide", BadValue, "config.layers[0].gs_w",
       [](Model& m) { layer(m, 0).set("gs_w", 7); }},
      {"BiasWithoutGroup", BadValue, "config.layers[0].bias",
       [](Model& m) { layer(m, 0).set("bias", Json()); }},
      {"BiasAgainstItsGroup", BadValue, "config.layers[0].gs_b",
       [](Model& m) { layer(m, 0).set("gs_b", 0); }},
      {"TensorMissing", NotFound, "conv.0.weight",
       [](Model& m) { m.tensors.erase(m.tensors.begin()); }},
      {"TensorOfAnotherType", Mismatch, "conv.0.weight",
       [](Model& m) { m.tensors[0].dtype = tensor::DType::F32; }},
      {"TensorOfAnotherShape", Mismatch, "conv.0.weight",
       [](Model& m) { m.tensors[0].shape = {20, 8, 25}; }},
      {"TensorOfNoLayer", Unsupported, "extra",
       [](Model& m) { m.tensors.emplace_back().name = "extra"; }},
      {"Tokenizer", Unsupported, "tokenizer", [](Model& m) { m.tokenizer.emplace(); }},
  };
}

TEST(TinyRuntimeWrite, RejectsMismatchedTables) {
  const File file = testing::make(CnnVariant::Dq8);
  const io::MemorySource source(file);
  for (const Refusal& refusal : refusals()) {
    SCOPED_TRACE(refusal.name);
    io::Diagnostics found;
    auto model = parse(source, found);
    ASSERT_TRUE(model);
    refusal.change(*model);
    const auto layout = lay_out(*model);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, refusal.code);
    EXPECT_EQ(layout.error().path, refusal.path) << describe(layout.error());
  }
}

// Offsets have 31 bits, so in vanilla 2^31 words.
TEST(TinyRuntimeWrite, RefusesParametersPastTheOffsets) {
  CnnTable table;
  table.n_classes = 1;
  table.linears = {linear(1 << 16, 1 << 14, false), linear(1 << 16, 1 << 14, false)};
  model::Model model = model_of(table);
  const auto layout = lay_out(model);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::formats::tinyruntime
