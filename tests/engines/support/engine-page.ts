// What the tests do with a page, whichever browser shows it and whichever protocol drives it.

/** A position in an element, from 0 to 1. */
export type Spot = readonly [number, number];

export type PressedKey = 'ArrowRight' | 'Enter';

export interface EnginePage {
  goto(url: string): Promise<void>;
  /** The value of an expression of JavaScript, or what its promise resolves to. It must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Chooses files on the disk in a file input. */
  setFiles(selector: string, paths: readonly string[]): Promise<void>;
  click(selector: string): Promise<void>;
  /** Types into a field, key by key. */
  type(selector: string, text: string): Promise<void>;
  /** Presses a key in an element, such as a map that takes arrow keys. */
  press(selector: string, key: PressedKey): Promise<void>;
  /** Draws one stroke with the mouse. */
  stroke(selector: string, spots: readonly Spot[]): Promise<void>;
}

export interface RunningEngine {
  readonly page: EnginePage;
  readonly version: string;
  /** The folder of the files that the page saves. */
  readonly downloads: string;
  /** Ends the browser, also one that does not answer any more. */
  close(): Promise<void>;
}

/** How the browser lets pages keep data: as usual, as in a private window, or not at all. */
export type Privacy = 'usual' | 'private' | 'blocked';

export interface Engine {
  readonly name: string;
  /** The flavours of the WebAssembly that it runs unless asked for another one. */
  readonly flavour: 'relaxed' | 'baseline';
  start(privacy?: Privacy): Promise<RunningEngine>;
}

/** The time that a browser has to end by itself. */
const closingMs = 10_000;

/** Waits for the end, or for the limit. */
export async function endWithin(end: Promise<unknown>, limitMs = closingMs): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([end.catch(() => undefined), limit]);
  clearTimeout(timer);
}
