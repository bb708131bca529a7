// What the file's tokenizer is, and a line to try it on.

import { openTokenizer, type Tokenizer } from 'ambry';
import { latest } from '../shared/debounce.ts';
import { byId, element, fillFacts } from '../shared/dom.ts';
import { formatCount } from '../shared/format.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { type CheckedFile, type CheckState, selectedFile } from './state.ts';

const kTypingPauseMs = 120;
/** The kinds that the package can run. */
const kRunnable: ReadonlySet<string> = new Set(['wordpiece']);

function factsOf({ inspection }: CheckedFile): (readonly [string, string])[] {
  const tokenizer = inspection?.tokenizer ?? null;
  if (tokenizer === null) {
    return [];
  }
  const special = Object.entries(tokenizer.special).map(([role, id]) => `${role} ${id}`);
  return [
    ['Kind', tokenizer.type],
    ['Tokens', formatCount(tokenizer.size)],
    ...(special.length === 0 ? [] : [['Special', special.join(', ')] as const]),
  ];
}

/** The tokenizer of the file shown, opened when it is first typed to. */
class TryIt {
  readonly #runtime: Runtime;
  #file: CheckedFile | null = null;
  #opened: Promise<Tokenizer> | null = null;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  turnTo(file: CheckedFile | null): void {
    if (file?.id !== this.#file?.id) {
      void this.#opened?.then((tokenizer) => tokenizer.dispose()).catch(() => undefined);
      this.#opened = null;
    }
    this.#file = file;
  }

  async tokenize(text: string): Promise<readonly (readonly [string, number])[]> {
    if (this.#file === null) {
      return [];
    }
    this.#opened ??= openTokenizer(this.#file.source, this.#runtime);
    const { ids, tokens } = await (await this.#opened).tokenize(text);
    return tokens.map((token, i) => [token, ids[i] ?? 0] as const);
  }
}

export function mountTokenizerView(store: Store<CheckState>, runtime: Runtime): void {
  const section = byId('tokenizer', HTMLElement);
  const facts = byId('tokenizer-facts', HTMLDListElement);
  const form = byId('try-form', HTMLFormElement);
  const field = byId('try-text', HTMLInputElement);
  const output = byId('tokens', HTMLElement);
  const tryIt = new TryIt(runtime);

  const answer = latest<string>(kTypingPauseMs, async (text, signal) => {
    try {
      const tokens = text === '' ? [] : await tryIt.tokenize(text);
      if (!signal.aborted) {
        const chips = tokens.map(([token, id]) =>
          element('span', 'token', token, element('small', '', String(id))),
        );
        output.replaceChildren(...chips);
      }
    } catch (error) {
      if (!signal.aborted) {
        store.update({ failure: { title: 'The text could not be tokenized', error } });
      }
    }
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => answer.request(field.value));

  let shown: CheckedFile['inspection'] = null;
  store.watch(['files', 'selected'], (state) => {
    const file = selectedFile(state);
    tryIt.turnTo(file);
    const inspection = file?.inspection ?? null;
    if (inspection === shown && shown !== null) {
      return;
    }
    shown = inspection;
    const tokenizer = inspection?.tokenizer ?? null;
    section.hidden = tokenizer === null;
    form.hidden = tokenizer === null || !kRunnable.has(tokenizer.type);
    fillFacts(facts, file === null ? [] : factsOf(file));
    answer.requestNow(field.value);
  });
}
