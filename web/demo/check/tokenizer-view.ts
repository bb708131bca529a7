// Describes the file's tokenizer, with a field to try it.

import { openTokenizer, type Tokenizer } from 'ambry';
import { debounced } from '../shared/base/debounce.ts';
import { formatCount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element, fillFacts } from '../shared/dom/dom.ts';
import { endFailure } from '../shared/jobs/jobs.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import { type CheckedFile, type CheckState, selectedFile } from './session/state.ts';

const typingPauseMs = 120;
/** The types that can be tried here. */
const runnableTypes: ReadonlySet<string> = new Set(['wordpiece']);

function factsOf({ inspection }: CheckedFile): (readonly [string, string])[] {
  const tokenizer = inspection?.tokenizer ?? null;
  if (tokenizer === null) {
    return [];
  }
  const special = Object.entries(tokenizer.special).map(([role, id]) => `${role} ${id}`);
  return [
    ['Type', tokenizer.type],
    ['Tokens', formatCount(tokenizer.size)],
    ...(special.length === 0 ? [] : [['Special tokens', special.join(', ')] as const]),
  ];
}

/** The tokenizer of the selected file. It is opened when the user first types a text. */
class SelectedTokenizer {
  readonly #runtime: Runtime;
  #file: CheckedFile | null = null;
  #opened: Promise<Tokenizer> | null = null;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  select(file: CheckedFile | null): void {
    if (file?.id !== this.#file?.id) {
      void this.#opened?.then((tokenizer) => tokenizer.dispose()).catch(() => undefined);
      this.#opened = null;
    }
    this.#file = file;
  }

  async tokenize(text: string): Promise<readonly (readonly [string, number])[]> {
    const source = this.#file?.source;
    if (source === undefined || source instanceof Map) {
      return [];
    }
    this.#opened ??= openTokenizer(source, this.#runtime);
    const { ids, tokens } = await (await this.#opened).tokenize(text);
    return tokens.map((token, i) => [token, ids[i] ?? 0] as const);
  }
}

const failureTitle = 'The text could not be tokenized';

export function mountTokenizerView(store: Store<CheckState>, runtime: Runtime): void {
  const section = byId('tokenizer', HTMLElement);
  const facts = byId('tokenizer-facts', HTMLDListElement);
  const form = byId('try-form', HTMLFormElement);
  const field = byId('try-text', HTMLInputElement);
  const output = byId('tokens', HTMLElement);
  const tokenizer = new SelectedTokenizer(runtime);

  const answer = debounced<string>(typingPauseMs, async (text, signal) => {
    try {
      const tokens = text === '' ? [] : await tokenizer.tokenize(text);
      if (!signal.aborted) {
        const chips = tokens.map(([token, id]) =>
          element('span', 'token', token, element('small', '', String(id))),
        );
        output.replaceChildren(...chips);
        endFailure(store, failureTitle);
      }
    } catch (error) {
      if (!signal.aborted) {
        store.update({ failure: { title: failureTitle, error } });
      }
    }
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => answer.request(field.value));

  let shown: CheckedFile['inspection'] = null;
  store.watch(['files', 'selected'], (state) => {
    const file = selectedFile(state);
    tokenizer.select(file);
    const inspection = file?.inspection ?? null;
    if (inspection === shown && shown !== null) {
      return;
    }
    shown = inspection;
    const info = inspection?.tokenizer ?? null;
    section.hidden = info === null;
    // The parts of a split model are no source of a tokenizer.
    const isSplit = file?.source instanceof Map;
    form.hidden = info === null || isSplit || !runnableTypes.has(info.type);
    fillFacts(facts, file === null ? [] : factsOf(file));
    answer.requestNow(field.value);
  });
}
