// The options of a generation as JSON.
#pragma once

#include "base/result.h"
#include "generate/answer/generate_options.h"
#include "generate/run/generator.h"
#include "io/json/json.h"

namespace ambry::api {

// Reads {maxTokens, stop: [text], stopIds: [id], shown: [text], logprobs, format (answer_format.h),
// n, batchSize, promptLookupNumTokens, maxMatchingNgramSize, logitBias: {id: number | false},
// ignoreEos, drySequenceBreakers: [text], penaltyLastN, dryPenaltyLastN, dryAllowedLength, topK,
// minKeep, mirostat, seed} and the numbers of infer::number_options(), all optional. What is absent
// has the value of generate::GenerateOptions.
//
// A bias of false bans the token, because JSON has no infinity. A `penaltyLastN` of -1 stands for
// all tokens. BadValue with the path `options.…` for a value of the wrong type and for an id that
// the model does not have. Ranges are checked by generate::check().
[[nodiscard]] Result<generate::GenerateOptions> read_generate_options(
    const io::Json& json, const generate::Generator& generator);

}  // namespace ambry::api
