// What classifiers of texts answer, of whatever kind they are.

export interface Prediction {
  readonly label: string;
  readonly probability: number;
}
