// The panel of what is in use: its name, a line about it, what its file says of itself, and the ways to
// others.

import type { Model } from 'ambry';
import { byId, fillFacts } from './dom.ts';
import { type FileSource, mountWaysIn, type Receiver } from './file-source.ts';
import type { JobHost } from './jobs.ts';
import type { Store } from './store.ts';
import { showPairs } from './value-view.ts';

/** A file and the model that it opened as. */
interface Open extends FileSource {
  readonly model: Model;
}

/** A page's state of which that is a part. */
interface Holder<Loaded> extends JobHost {
  readonly loaded: Loaded | null;
}

/** What the panel says of a file beyond its name. */
export interface Telling<Loaded> {
  line(loaded: Loaded): string;
  facts(loaded: Loaded): readonly (readonly [string, string])[];
}

/** `what` names the panel's elements: `model-name`, `model-line`. */
export function mountLoadedPanel<Loaded extends Open, State extends Holder<Loaded>>(
  store: Store<State>,
  session: Receiver,
  what: 'model' | 'file',
  telling: Telling<Loaded>,
): void {
  const name = byId(`${what}-name`, HTMLElement);
  const line = byId(`${what}-line`, HTMLElement);
  const about = byId('about', HTMLElement);
  const facts = byId('about-facts', HTMLDListElement);
  const builtIn = byId('built-in', HTMLButtonElement);

  mountWaysIn(session);
  store.watch(['loaded', 'job'], ({ loaded, job }) => {
    name.textContent = loaded?.name ?? (job === null ? 'None' : 'Loading…');
    builtIn.hidden = loaded === null ? job !== null : loaded.builtIn;
  });
  store.watch(['loaded'], ({ loaded }) => {
    line.textContent = loaded === null ? '' : telling.line(loaded);
    about.hidden = loaded === null;
    fillFacts(facts, loaded === null ? [] : telling.facts(loaded));
    showPairs('config', loaded?.model.info.config ?? null);
    showPairs('metadata', loaded?.model.info.metadata ?? null);
  });
}
