import type {
  ActivationJob,
  GeneratorModel,
  HeapRange,
  OutcomeText,
  PassProgress,
  SavedActivations,
} from './types.mjs';

/** What quantizing learns from a decoder at work. */
export interface ActivationsBindings {
  /** `options` is JSON of {texts, window}. */
  beginActivations(model: GeneratorModel, options: string): OutcomeText<ActivationJob>;
  stepActivations(job: ActivationJob): OutcomeText<PassProgress>;
  finishActivations(job: ActivationJob): OutcomeText<SavedActivations>;
  /** The bytes that `readActivations` of a module that converts takes. */
  activationsRange(activations: SavedActivations): OutcomeText<HeapRange>;
}
