// Checks what callers without types give.
import { AmbryError, type Generator } from 'ambry';

/** Throws `BadValue` at `model` for what is no open language model. */
export function checkModel(model: Generator): void {
  const { kind } = (model ?? {}) as Partial<Generator>;
  if (kind === 'generator') {
    return;
  }
  const message = "Must be an open language model: await open(…, { kind: 'generator' }).";
  throw new AmbryError('BadValue', message, { path: 'model' });
}

/** Throws `BadValue` at `path` for what is no list. */
export function checkList(list: readonly unknown[], path: string): void {
  if (Array.isArray(list)) {
    return;
  }
  throw new AmbryError('BadValue', 'Must be a list.', { path });
}
