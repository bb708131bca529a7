// Calibration in workers that also run models. The modules that run them hand what they have seen to the one that converts.
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { GeneratorModule, ImageClassifierModule } from '../wasm/module.mjs';
import { calibrate } from './worker-calibrate.ts';
import { activationsOf } from './worker-calibrate-text.ts';
import type { Calibrator } from './worker-convert-job.ts';

export function calibratorOf(
  classifiers: WorkerRuntime<ImageClassifierModule>,
  generators: WorkerRuntime<GeneratorModule>,
): Calibrator {
  return {
    ranges: async (...input) => calibrate(await classifiers.wasm(), ...input),
    activations: async (...input) => activationsOf(await generators.wasm(), ...input),
  };
}
