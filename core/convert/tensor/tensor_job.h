// Runs a Plan: streams each tensor into its place in the target's layout.
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/job.h"
#include "convert/plan/plan.h"

namespace ambry::convert {

[[nodiscard]] std::unique_ptr<Job> start(Plan plan);

// A report with the facts of the plan, before anything is measured.
[[nodiscard]] Report report_of(const Plan& plan);

}  // namespace ambry::convert
