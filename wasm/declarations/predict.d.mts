import type {
  HeapRange,
  OutcomeText,
  PartialSource,
  PredictJob,
  TextClassifierLoader,
  TextClassifierSession,
} from './types.mjs';

/** Classifiers of texts. Texts are UTF-8, options JSON. */
export interface PredictBindings {
  /** Fill it as a ByteSink. */
  beginTextClassifier(source: PartialSource): OutcomeText<TextClassifierLoader>;
  finishTextClassifier(loader: TextClassifierLoader): OutcomeText<TextClassifierSession>;
  /** `info` is a FileInfo with TextClassifierInfo. */
  textClassifierFacts(
    session: TextClassifierSession,
  ): OutcomeText<{ info: unknown; weightBytes: number }>;

  /** Then addPredictText() for each text, and stepPredict() until it is done. */
  beginPredict(session: TextClassifierSession, options: string): OutcomeText<PredictJob>;
  addPredictText(job: PredictJob, text: Uint8Array): OutcomeText<null>;
  stepPredict(job: PredictJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  /** For all texts: how many predictions each has and their labels by index, as u32, and their probabilities, as f32. */
  predictions(
    job: PredictJob,
  ): OutcomeText<{ counts: HeapRange; labels: HeapRange; probabilities: HeapRange }>;
}
