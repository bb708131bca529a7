// Reads the options of the sampler from the JSON options of a generation.
#pragma once

#include "base/result.h"
#include "generate/run/generator.h"
#include "infer/decoder/sampling/sampler_options.h"
#include "io/json/json.h"

namespace ambry::api {

// The members and their defaults, all optional:
//
//   {logitBias: {id: number | false}, ignoreEos: false,
//    penaltyLastN: -1, repetitionPenalty: 1, frequencyPenalty: 0, presencePenalty: 0,
//    dryMultiplier: 0, dryBase: 1.75, dryAllowedLength: 2, dryPenaltyLastN: -1,
//    drySequenceBreakers: ["\n", ":", "\"", "*"],
//    topNSigma: 0, topK: 0, typicalP: 1, topP: 0.9, minP: 0, minKeep: 0,
//    xtcProbability: 0, xtcThreshold: 0.1,
//    temperature: 0.8, dynatempRange: 0, dynatempExponent: 1,
//    mirostat: 0, mirostatTau: 5, mirostatEta: 0.1, seed: 0}
//
// A bias of false bans the token; JSON has no infinity. `ignoreEos` bans the tokens that end a
// text. BadValue with the path `options.…` for a value of the wrong type, an id that the model does
// not have, and a breaker that is empty or longer than 40 bytes. Unsupported for breakers without a
// tokenizer. Ranges are checked by Sampler::create().
[[nodiscard]] Result<infer::SamplerOptions> read_sampling(const io::Json& json,
                                                          const generate::Generator& runtime);

}  // namespace ambry::api
