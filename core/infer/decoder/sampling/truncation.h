// Steps that leave unlikely tokens out, and XTC, which leaves likely ones out. At least one
// candidate always stays. What the parameters mean is in sampler_options.h.
#pragma once

#include <cstdint>

#include "infer/decoder/sampling/candidates.h"

namespace ambry::infer {

// keep_top_n_sigma and keep_top_k go by logits, so that candidates need no weights before. 0 keeps
// all.
void keep_top_n_sigma(Candidates& candidates, double n);
void keep_top_k(Candidates& candidates, uint64_t k);

// The functions from here on need candidates weighed with temperature 1.
void keep_top_p(Candidates& candidates, double p, uint64_t min_keep);
// Locally typical sampling (C. Meister et al., 2022): the tokens whose surprise is closest to the
// entropy, the surprise that is expected.
void keep_typical(Candidates& candidates, double p, uint64_t min_keep);
void keep_min_p(Candidates& candidates, double p, uint64_t min_keep);
// Leaves out the tokens with at least this probability, but for the least likely of them (XTC).
// Changes nothing if fewer than `min_keep` tokens would be left.
void leave_out_top_choices(Candidates& candidates, double threshold, uint64_t min_keep);

}  // namespace ambry::infer
