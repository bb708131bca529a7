// A decoder language model ready to run: its configuration, and its weights as the file stores
// them.
//
// The matrices are divided into parts, in the order in which a pass uses them: part 0 has the
// embeddings, then come the attention and the feed-forward layer of each layer, and last the
// output. When they may not all be in memory (DecoderOptions::resident), the caller gives a pass
// the part that it asks for:
//
//   AMBRY_TRY(const PassStep step, pass.step());
//   if (step.kind == PassStep::Kind::NeedsPart) {
//     decoder.make_room(step.part);
//     for (const size_t tensor : decoder.missing_tensors(step.part)) {
//       AMBRY_RETURN_IF_ERROR(decoder.put_tensor(tensor, read(model.tensors[tensor])));
//     }
//   }
//
// An expert of a layer is a part of its own, which a pass asks for only if a token takes it.
// Experts are dropped by least recent use, before any other part.
//
// next_missing() tells the part that will be missing next, so it can be read while the current one
// runs. Norms and biases are small and always in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "base/threads/work_team.h"
#include "infer/decoder/device/device_block.h"
#include "infer/decoder/weights/decoder_identity.h"
#include "infer/decoder/weights/decoder_options.h"
#include "infer/decoder/weights/decoder_weights.h"
#include "infer/decoder/weights/weight_plan.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

class Decoder {
 public:
  [[nodiscard]] const model::DecoderConfig& config() const { return plan_.config; }
  [[nodiscard]] KvType kv() const { return options_.kv; }
  [[nodiscard]] kernels::ActivationPrecision activations() const { return options_.activations; }
  // Which model this is, as far as its tensors have been in memory.
  [[nodiscard]] const DecoderIdentity& identity() const { return identity_; }
  // Tokens that a sequence may have.
  [[nodiscard]] uint64_t context() const { return options_.context; }
  // Logits per position.
  [[nodiscard]] uint32_t n_vocab() const { return plan_.n_vocab; }
  // Ids from this one on are padding rows without a token and must not be sampled. At most
  // n_vocab().
  [[nodiscard]] uint32_t n_tokens() const { return plan_.n_tokens; }
  // Whether the model can generate text: it has an output, and its tokens do not see later ones.
  [[nodiscard]] bool makes_logits() const { return plan_.has_output && !config().bidirectional; }
  // Heap bytes of the weights in memory now.
  [[nodiscard]] uint64_t weight_bytes() const { return resident_bytes_; }

  // Whether some part must be read again for every pass.
  [[nodiscard]] bool is_streamed() const { return !on_device_ && plan_.total_bytes > budget_; }
  // About how many bytes are read per pass, whatever its number of tokens; 0 unless streamed. For
  // estimating the speed.
  [[nodiscard]] uint64_t streamed_bytes() const;
  // What a further row of a pass over a few rows takes, as a share of a pass over one row: an
  // estimate, for deciding how much to compute on suspicion.
  [[nodiscard]] double further_row_cost() const;
  [[nodiscard]] size_t n_parts() const { return plan_.parts.size(); }
  // The indices in Model::tensors that `part` needs and that are not in memory.
  [[nodiscard]] std::vector<size_t> missing_tensors(size_t part) const;
  [[nodiscard]] bool is_ready(size_t part) const;
  // The next part after `part`, in the order of passes, that is not in memory; nothing when all
  // are. After an expert, the next one that the tokens take in its layer comes first.
  [[nodiscard]] std::optional<size_t> next_missing(size_t part) const;
  // Notes which experts the tokens of a pass take in the layer that it computes.
  void expect_experts(std::vector<uint32_t> experts) const { expected_ = std::move(experts); }
  // Notes that a pass uses an expert, so that others are dropped before it.
  void note_use(uint32_t layer, uint32_t expert) const;
  // Drops matrices of other parts until `part` has room: experts that were not used for longest,
  // and then those parts that are needed last.
  void make_room(size_t part);
  // Takes the stored bytes of one tensor of the model. Mismatch for another size, LimitExceeded
  // when it exceeds the memory budget, BadValue for invalid values.
  [[nodiscard]] Result<void> put_tensor(size_t tensor_index, AlignedBuffer bytes);

  // Floats of scratch that suffice for a product with any weight so far.
  [[nodiscard]] size_t product_floats() const { return product_floats_; }
  // The threads that passes run on; null for the caller's alone. The team must outlive the passes,
  // and may not be changed during one.
  [[nodiscard]] WorkTeam* team() const { return team_; }
  void set_team(WorkTeam* team) { team_ = team; }

  // Whether a device computes the passes from now on. begin_device() drops all matrices. After
  // end_device() passes ask for the parts again, which then stay.
  [[nodiscard]] bool on_device() const { return on_device_; }
  void begin_device();
  void end_device();
  // The block that the last pass waits for (PassStep::kDevicePart); null when nobody has it.
  [[nodiscard]] std::shared_ptr<DeviceBlock> waiting() const { return waiting_.lock(); }
  void wait_for(const std::shared_ptr<DeviceBlock>& block) const { waiting_ = block; }

  // ALiBi's slopes, one per head; empty without ALiBi.
  [[nodiscard]] const std::vector<float>& slopes() const { return slopes_; }
  [[nodiscard]] const DecoderWeights& weights() const { return weights_; }
  [[nodiscard]] const WeightPlan& plan() const { return plan_; }

 private:
  friend class DecoderBuilder;
  Decoder(WeightPlan plan, const DecoderOptions& options);

  [[nodiscard]] Result<void> put_matrix(const PlannedTensor& tensor, AlignedBuffer bytes);
  [[nodiscard]] Result<void> put_vector(const PlannedTensor& tensor, const AlignedBuffer& bytes);
  void drop(size_t planned);
  [[nodiscard]] size_t n_cycle() const { return first_expert_part(plan_.config); }
  [[nodiscard]] size_t place_in_cycle(size_t part) const;
  [[nodiscard]] uint64_t lacking_bytes(size_t part) const;
  void drop_experts(size_t part, uint64_t missing);
  [[nodiscard]] uint64_t taken_share(uint64_t bytes) const;

  WeightPlan plan_;
  DecoderOptions options_;
  uint64_t budget_;
  DecoderIdentity identity_;
  std::vector<float> slopes_;
  DecoderWeights weights_;
  std::vector<bool> resident_;   // for each planned tensor: whether it is in memory
  std::vector<size_t> planned_;  // by index in Model::tensors
  // When each expert was last used, counted in uses. Passes may change this alone.
  mutable std::vector<uint64_t> last_use_;
  mutable uint64_t uses_ = 0;
  mutable std::vector<uint32_t> expected_;  // by rising index
  uint64_t resident_bytes_ = 0;
  size_t product_floats_ = 0;
  WorkTeam* team_ = nullptr;
  bool on_device_ = false;
  mutable std::weak_ptr<DeviceBlock> waiting_;
};

}  // namespace ambry::infer
