import type { ActivationJob, GeneratorModel, OutcomeText, SavedActivations } from './types.mjs';

/** What quantizing learns from a decoder at work. */
export interface ActivationsBindings {
  /** `options` is JSON of {texts, window}. Then stepPass() until it is done. */
  beginActivations(model: GeneratorModel, options: string): OutcomeText<ActivationJob>;
  finishActivations(job: ActivationJob): OutcomeText<SavedActivations>;
}
