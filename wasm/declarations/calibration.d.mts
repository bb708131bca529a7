import type { Calibration, HeapRange, OutcomeText, PartialSource } from './types.mjs';

/** What quantizing learns from a network at work. */
export interface CalibrationBindings {
  /** Begins to measure a float network of tinyRuntime; fill it as a ByteSink, then show it images. `plan` is JSON, or
   *  empty. */
  beginCalibration(source: PartialSource, plan: string): OutcomeText<Calibration>;
  /** Where so many floats of the next image go; then call `calibrateOnImage`. */
  calibrationImage(calibration: Calibration, numbers: number): OutcomeText<HeapRange>;
  /** Takes the next image from the pixels of a picture, RGBA. */
  calibrationPicture(
    calibration: Calibration,
    width: number,
    height: number,
  ): OutcomeText<HeapRange>;
  calibrateOnImage(calibration: Calibration): OutcomeText<null>;
  /** For the option `ranges` of a quantization. */
  calibrationRanges(calibration: Calibration): OutcomeText<unknown>;
}
