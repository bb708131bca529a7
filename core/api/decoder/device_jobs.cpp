#include "api/decoder/device_jobs.h"

#include <algorithm>
#include <utility>

#include "infer/decoder/plan/device_plan.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using infer::DeviceBlock;
using infer::PassStep;

// Enough for every tile of a product to have a rest.
constexpr uint64_t kCheckedTokens = 20;

// Addresses of WebAssembly have 32 bits.
void add_place(std::vector<uint32_t>& facts, const void* data, size_t count = 0) {
  facts.push_back(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(data)));
  facts.push_back(static_cast<uint32_t>(count));
}

}  // namespace

Result<std::string> device_plan(const generate::Generator& generator) {
  AMBRY_TRY(const std::vector<double> plan, infer::device_plan(generator.decoder));
  io::Json numbers = io::Json::array();
  for (const double number : plan) numbers.append(number);
  return numbers.dump();
}

void set_device(generate::Generator& generator, bool on) {
  on ? generator.decoder.begin_device() : generator.decoder.end_device();
}

DeviceCheck::DeviceCheck(std::shared_ptr<generate::Generator> generator)
    : generator_(std::move(generator)), state_(generator_->decoder) {
  const infer::Decoder& decoder = generator_->decoder;
  ids_.resize(static_cast<size_t>(std::min(kCheckedTokens, decoder.context())));
  for (size_t i = 0; i < ids_.size(); ++i) {
    ids_[i] = static_cast<uint32_t>((13 + i * 7919) % decoder.n_tokens());
  }
}

Result<std::unique_ptr<DeviceCheck>> DeviceCheck::begin(
    std::shared_ptr<generate::Generator> generator) {
  std::unique_ptr<DeviceCheck> check(new DeviceCheck(std::move(generator)));
  const bool makes_logits = check->generator_->decoder.makes_logits();
  AMBRY_RETURN_IF_ERROR(
      check->pass_.begin(check->generator_->decoder, check->state_, check->ids_,
                         makes_logits ? infer::Logits::Each : infer::Logits::HiddenOfEach));
  return check;
}

Result<void> DeviceCheck::step() {
  const size_t before = pass_.steps_done();
  AMBRY_TRY(const PassStep step, pass_.step());
  const bool lacks = step.kind == PassStep::Kind::NeedsPart;
  const bool has_run = pass_.steps_done() > before;
  facts_ = {step.kind == PassStep::Kind::Done ? 1U : 0U,
            lacks ? static_cast<uint32_t>(step.part) + 1 : 0,
            has_run ? static_cast<uint32_t>(before) + 1 : 0};
  rope_ = pass_.rope().values();
  local_rope_ = pass_.local_rope().values();
  add_place(facts_, ids_.data(), ids_.size());
  add_place(facts_, rope_.data(), rope_.size());
  add_place(facts_, local_rope_.data(), local_rope_.size());
  add_place(facts_, pass_.results().data(), pass_.results().size());
  const infer::PassScratch& rows = pass_.scratch();
  for (const float* const of : {rows.hidden, rows.attended, rows.normed, rows.query, rows.key,
                                rows.value, rows.context, rows.wide, rows.out}) {
    add_place(facts_, of);
  }
  return {};
}

Result<std::unique_ptr<DeviceRows>> DeviceRows::of(const generate::Generator& generator) {
  const infer::Decoder& decoder = generator.decoder;
  auto block = decoder.waiting();
  if (!block) return make_error(ErrorCode::NotFound, "device", "no pass waits for a device");
  const uint64_t width = block->hidden ? decoder.config().n_embd : decoder.config().n_vocab;
  AMBRY_TRY(block->results, AlignedBuffer::allocate(block->wanted.size() * width * sizeof(float)));
  return std::unique_ptr<DeviceRows>(new DeviceRows(std::move(block)));
}

DeviceRows::DeviceRows(std::shared_ptr<DeviceBlock> block) : block_(std::move(block)) {
  facts_.push_back(block_->hidden ? 1U : 0U);
  add_place(facts_, block_->ids.data(), block_->ids.size());
  add_place(facts_, block_->wanted.data(), block_->wanted.size());
  add_place(facts_, block_->rope.data(), block_->rope.size());
  add_place(facts_, block_->local_rope.data(), block_->local_rope.size());
  add_place(facts_, block_->results.data(), block_->results.size() / sizeof(float));
  for (const DeviceBlock::Piece& piece : block_->pieces) {
    facts_.insert(facts_.end(),
                  {static_cast<uint32_t>(piece.sequence), piece.rotation,
                   static_cast<uint32_t>(piece.first), static_cast<uint32_t>(piece.rows)});
    add_place(facts_, piece.before.data(), piece.before.size());
  }
}

void DeviceRows::answer(bool restart) {
  block_->restart = restart;
  block_->answered = !restart;
}

}  // namespace ambry::api
