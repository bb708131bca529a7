import type { ClassifyJob, HeapRange, ImageClassifierModel, OutcomeText } from './types.mjs';

/** Networks that classify pictures. Plans and options are JSON. */
export interface ClassifyBindings {
  /** For what begins afterwards. */
  usePlan(model: ImageClassifierModel, plan: string): OutcomeText<null>;

  /** Then one of classifyTensor() and classifyPicture(), startClassify(), and stepClassify() until it says
   *  true. */
  beginClassify(model: ImageClassifierModel, options: string): OutcomeText<ClassifyJob>;
  /** Where so many floats go. */
  classifyTensor(job: ClassifyJob, numbers: number): OutcomeText<HeapRange>;
  /** Where the RGBA pixels go, row by row. */
  classifyPicture(job: ClassifyJob, width: number, height: number): OutcomeText<HeapRange>;
  /** The layers, one a step. */
  startClassify(
    job: ClassifyJob,
  ): OutcomeText<{ op: string; index: number; shape: [number, number, number] }[]>;
  stepClassify(job: ClassifyJob): OutcomeText<boolean>;
  /** A Classification without its layers. Its activations have no values: these are the bytes of the job. */
  classified(job: ClassifyJob): OutcomeText<unknown>;
}
