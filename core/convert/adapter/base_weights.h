// The weights of a base model by the names that its adapters use. Files of one naming take adapters
// of the other one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

struct BaseWeight {
  std::string name;  // the part that is compared (base_weight_key)
  Input stored;      // as the file of the base has it, or some of its rows
  // Whether GGUF and Hugging Face's files have its rows in different orders, and the adapter has
  // not the order of the base.
  bool permuted = false;
};

// The name without the classes around the part of a model that has it, such as `model.` and
// `bert.`.
[[nodiscard]] std::string_view base_weight_key(std::string_view name);

class BaseWeights {
 public:
  // The weights of this source, under GGUF's names or under those of Hugging Face. `plan` is a
  // conversion of it with these options. On NeedBytes, load the bytes and call it again.
  [[nodiscard]] static Result<BaseWeights> read(const SourceFiles& sources, std::string_view from,
                                                const Options& options, bool by_gguf_names,
                                                const Plan& plan);

  // nullptr when there is none, or no single one.
  [[nodiscard]] const BaseWeight* find(std::string_view name) const;
  // The architecture as GGUF names it, if it is known.
  [[nodiscard]] const std::string& architecture() const { return architecture_; }
  [[nodiscard]] uint32_t head_dim() const { return head_dim_; }

 private:
  Result<void> add_as_stored(const SourceModel& source);
  Result<void> add_from_gguf(const SourceFiles& sources, const SourceModel& source,
                             std::string_view arch);
  void add_encoder(const SourceModel& source);
  void add_for_gguf(const SourceModel& source, const Plan& plan);
  void sort();

  std::vector<BaseWeight> weights_;  // sorted by name
  std::string architecture_;
  uint32_t head_dim_ = 0;
};

}  // namespace ambry::convert
