// What the playground shows.

export interface PlaygroundState {
  readonly code: string;
  /** The lines that the code has printed. */
  readonly output: string;
  readonly isRunning: boolean;
  readonly notice: string;
  /** What the code threw. */
  readonly problem: string;
}

export const emptyState: PlaygroundState = {
  code: '',
  output: '',
  isRunning: false,
  notice: '',
  problem: '',
};
