// The panel with the loaded model and the controls to open another.

import type { Store } from '../../shared/base/store.ts';
import { byId, fillFacts, onFilesChosen } from '../../shared/dom/dom.ts';
import { mountAddressForm } from '../../shared/files/address-form.ts';
import { modelExtension } from '../../shared/files/file-types.ts';
import { pickedFiles } from '../../shared/files/given-files.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { factsOf } from '../model/model-facts.ts';
import type { Session } from '../session/session.ts';
import type { LoadedModel, SearchState } from '../state/state.ts';

function titleOf(loaded: LoadedModel): string {
  return loaded.builtIn ? `${loaded.name} (built in)` : loaded.name;
}

function mountOpeners(session: Session): void {
  for (const id of ['model-files', 'model-folder']) {
    onFilesChosen(byId(id, HTMLInputElement), (files) =>
      session.run((actions) => actions.receive(pickedFiles(files))),
    );
  }
  mountAddressForm('model-url-form', 'model-url', (address) => {
    void session.run(({ models }) => models.openAddress(address));
  });
}

export function mountModelPanel(store: Store<SearchState>, session: Session): void {
  const name = byId('model-name', HTMLElement);
  const facts = byId('model-facts', HTMLDListElement);
  const save = byId('model-save', HTMLButtonElement);
  const builtIn = byId('model-built-in', HTMLButtonElement);

  mountOpeners(session);
  builtIn.addEventListener('click', () => session.run(({ models }) => models.openBuiltIn()));
  save.addEventListener('click', () => {
    const { loaded } = store.state;
    if (loaded !== null && loaded.converted !== null) {
      saveFile(loaded.converted, loaded.name + modelExtension);
    }
  });
  store.watch(['loaded', 'job'], ({ loaded, job }) => {
    name.textContent = loaded === null ? (job === null ? 'None' : 'Loading…') : titleOf(loaded);
    builtIn.hidden = loaded === null ? job !== null : loaded.builtIn;
  });
  store.watch(['loaded'], ({ loaded }) => {
    fillFacts(facts, loaded === null ? [] : factsOf(loaded));
    save.hidden = loaded === null || loaded.converted === null;
  });
}
