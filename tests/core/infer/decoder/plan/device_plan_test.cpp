// Plans of devices, run by what they say alone, beside passes in this code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "infer/decoder/plan/device_plan.h"
#include "infer/decoder/plan/plan_device.h"

namespace ambry::infer {
namespace {

using testing::PlanDevice;
using testing::SyntheticDecoder;

DecoderOptions exact(bool device, uint64_t context = 0) {
  DecoderOptions options;
  options.context = context;
  options.activations = kernels::ActivationPrecision::F32;
  options.device = device;
  return options;
}

double largest_difference(std::span<const float> a, std::span<const float> b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(double{a[i]} - double{b[i]}));
  }
  return largest;
}

// A decoder whose passes a PlanDevice computes.
struct OnDevice {
  explicit OnDevice(const SyntheticDecoder& from, uint64_t context = 0)
      : made(from), decoder(made.build(exact(true, context))), device(made, decoder) {
    decoder.begin_device();
  }

  Result<void> finish(ForwardPass& pass) {
    for (;;) {
      AMBRY_TRY(const PassStep step, pass.step());
      EXPECT_LE(pass.steps_done(), pass.n_steps());
      if (step.kind == PassStep::Kind::Done) return {};
      if (step.kind != PassStep::Kind::NeedsPart) continue;
      if (step.part == PassStep::kDevicePart) {
        device.answer(*decoder.waiting());
        continue;
      }
      EXPECT_FALSE(decoder.on_device());
      decoder.make_room(step.part);
      for (const size_t tensor : decoder.missing_tensors(step.part)) {
        AMBRY_RETURN_IF_ERROR(decoder.put_tensor(tensor, testing::copy_of(made.bytes[tensor])));
      }
    }
  }

  const SyntheticDecoder& made;
  Decoder decoder;
  PlanDevice device;
};

class DevicePlans : public ::testing::TestWithParam<const char*> {};

TEST_P(DevicePlans, GiveTheLogitsOfAPass) {
  const SyntheticDecoder made = SyntheticDecoder::read(GetParam());
  const std::span<const uint32_t> ids(made.ids);
  const bool is_long = ids.size() > made.config().max_seq_len;
  Decoder here = made.build(exact(false, is_long ? ids.size() : 0));
  OnDevice there(made, is_long ? ids.size() : 0);
  for (const size_t cut : {ids.size() - 1, size_t{1}, ids.size() / 2}) {
    DecoderState state(here);
    DecoderState other(there.decoder);
    ForwardPass pass;
    ForwardPass of_device;
    for (const auto rows : {ids.first(cut), ids.subspan(cut)}) {
      ASSERT_TRUE(pass.begin(here, state, rows, Logits::Each));
      for (auto step = pass.step(); step && step->kind != PassStep::Kind::Done;) {
        step = pass.step();
      }
      ASSERT_TRUE(of_device.begin(there.decoder, other, rows, Logits::Each));
      ASSERT_TRUE(there.finish(of_device));
      ASSERT_EQ(of_device.n_logits(), pass.n_logits());
      for (size_t i = 0; i < pass.n_logits(); ++i) {
        EXPECT_LE(largest_difference(pass.logits(i), of_device.logits(i)), 1e-4)
            << cut << ", " << i;
      }
    }
    EXPECT_EQ(other.bytes_of(0), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, DevicePlans,
    ::testing::Values("llama", "llama_interleaved_biased", "llama_linear", "llama_yarn",
                      "llama_llama3", "mistral_window", "mistral_ring", "gemma", "phi2",
                      "phi3_short", "phi3_long", "gpt2", "falcon_40b", "falcon_7b", "falcon_rw",
                      "mpt", "mpt_learned_gqa", "qwen2", "qwen2_windows", "qwen3", "gemma2",
                      "gemma3", "smollm3", "olmo2", "granite", "stablelm", "stablelm_parallel",
                      "gpt_neox", "gpt_neox_sequential", "gptj", "starcoder2", "phi4_mini",
                      "minicpm", "granite_nope", "arcee", "helium", "ernie4_5", "ernie4_5_biased",
                      "exaone4", "exaone4_windows", "olmo3", "ministral3", "apertus"),
    [](const auto& named) { return std::string(named.param); });

TEST(DevicePlan, ReadsEachType) {
  for (const char* type : {"f16", "bf16", "int8", "int4_block"}) {
    const SyntheticDecoder made = SyntheticDecoder::read("wide_quantized", type);
    const Decoder here = made.build(exact(false));
    OnDevice there(made);
    DecoderState state(here);
    DecoderState other(there.decoder);
    ForwardPass pass;
    ForwardPass of_device;
    ASSERT_TRUE(pass.begin(here, state, made.ids, Logits::Last));
    for (auto step = pass.step(); step && step->kind != PassStep::Kind::Done;) step = pass.step();
    ASSERT_TRUE(of_device.begin(there.decoder, other, made.ids, Logits::Last));
    ASSERT_TRUE(there.finish(of_device));
    EXPECT_LE(largest_difference(pass.logits(), of_device.logits()), 1e-3) << type;
  }
}

TEST(DevicePlan, NamesWhatItCannotCompute) {
  const struct {
    const char* fixture;
    const char* type;
    const char* path;
    const char* message;
  } kCases[] = {
      {"lfm2", "f32", "layers[0]", "a device cannot compute layers of kind conv"},
      {"qwen3_5", "f32", "layers[0]", "a device cannot compute layers of kind linear_attention"},
      {"nemotron_h", "f32", "layers[0]", "a device cannot compute layers of kind mamba"},
      {"mixtral", "f32", "layers[0]", "a device cannot compute experts"},
      {"gemma4_dense", "f32", "config",
       "a device cannot compute layers that share keys or have embeddings of their own"},
      {"llama_dynamic", "f32", "config.rope_scaling",
       "a device cannot compute a rotation that depends on the length"},
      {"llama", "int5", "model.embed_tokens.weight", "a device cannot multiply by int5"},
  };
  for (const auto& refused : kCases) {
    const SyntheticDecoder made = SyntheticDecoder::read(refused.fixture, refused.type);
    const auto plan = device_plan(made.build(exact(true)));
    ASSERT_FALSE(plan) << refused.fixture;
    EXPECT_EQ(plan.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(plan.error().path, refused.path) << refused.fixture;
    EXPECT_EQ(plan.error().message, refused.message);
  }
}

// Random sequences that are forked, cut back and forgotten, with the device lost in the end.
TEST(DevicePasses, GoOnWhateverTheDeviceForgets) {
  const SyntheticDecoder made = SyntheticDecoder::read("phi3_long");
  Decoder here = made.build(exact(false));
  OnDevice there(made);
  Random random(3);
  const auto below = [&](size_t n) { return static_cast<size_t>(random.below(n)); };
  std::vector<DecoderState> states;
  states.emplace_back(there.decoder);
  for (int round = 0; round < 60; ++round) {
    if (round == 45) there.decoder.end_device();
    if (below(6) == 0) there.device.forget();
    if (below(3) == 0) states.push_back(states[below(states.size())].fork());
    std::vector<std::vector<uint32_t>> ids(states.size());
    std::vector<SequenceRows> rows;
    for (size_t i = 0; i < states.size(); ++i) {
      if (below(3) == 0) states[i].truncate(below(states[i].position() + 1));
      const size_t room = static_cast<size_t>(states[i].capacity()) - states[i].position();
      if (room == 0 || (i > 0 && below(3) == 0)) continue;
      ids[i].resize(1 + below(std::min<size_t>(room, 9)));
      for (uint32_t& id : ids[i]) id = static_cast<uint32_t>(below(there.decoder.n_tokens()));
      rows.push_back({&states[i], ids[i], Logits::Last});
    }
    if (rows.empty()) continue;
    ForwardPass pass;
    ASSERT_TRUE(pass.begin(there.decoder, rows));
    if (round == 30) {
      ASSERT_EQ(pass.step()->part, PassStep::kDevicePart);
      there.device.forget();
    }
    ASSERT_TRUE(there.finish(pass));
    for (size_t i = 0; i < rows.size(); ++i) {
      DecoderState cold(here);
      ForwardPass whole;
      ASSERT_TRUE(whole.begin(here, cold, rows[i].state->ids(), Logits::Last));
      for (auto step = whole.step(); step && step->kind != PassStep::Kind::Done;) {
        step = whole.step();
      }
      EXPECT_LE(largest_difference(whole.logits(), pass.logits(i)), 1e-4) << round << ", " << i;
    }
    if (states.size() > 6) states.erase(states.begin(), states.begin() + 3);
  }
  EXPECT_GT(there.device.n_restarts(), 3U);
}

TEST(DevicePasses, BeginAgainHereWhenTheDeviceIsLostInOne) {
  const SyntheticDecoder made = SyntheticDecoder::read("llama");
  Decoder here = made.build(exact(false));
  OnDevice there(made);
  const std::vector<uint32_t> ids(there.decoder.context() > 200 ? 200 : there.decoder.context(), 3);
  for (const bool has_begun : {false, true}) {
    DecoderState state(there.decoder);
    ForwardPass pass;
    ASSERT_TRUE(pass.begin(there.decoder, state, ids, Logits::Each));
    ASSERT_EQ(pass.step()->part, PassStep::kDevicePart);
    if (has_begun) there.device.answer(*there.decoder.waiting());
    there.decoder.end_device();
    ASSERT_TRUE(there.finish(pass));
    DecoderState cold(here);
    ForwardPass whole;
    ASSERT_TRUE(whole.begin(here, cold, ids, Logits::Each));
    for (auto step = whole.step(); step && step->kind != PassStep::Kind::Done;) step = whole.step();
    for (size_t i = 0; i < ids.size(); ++i) {
      ASSERT_LE(largest_difference(whole.logits(i), pass.logits(i)), 1e-4) << i;
    }
    there.decoder.begin_device();
  }
}

}  // namespace
}  // namespace ambry::infer
