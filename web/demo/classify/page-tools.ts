// What the page does its work with: its state, and the parts for pictures and for texts.

import type { Store } from '../shared/base/store.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import type { PictureSession } from './picture/picture-session.ts';
import type { ClassifyState } from './state/state.ts';
import type { TextParts } from './text-parts.ts';

export interface PageTools {
  readonly store: Store<ClassifyState>;
  readonly runtime: Runtime;
  readonly pictures: PictureSession;
  /** Loads the tasks with texts, once. */
  readonly loadTexts: () => Promise<TextParts>;
}
