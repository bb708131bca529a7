// The panel with the network in use and the controls to open another.

import { formatBytes, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, onFilesChosen } from '../../shared/dom/dom.ts';
import { pickedFiles } from '../../shared/files/given-files.ts';
import type { Receive } from '../../shared/page/mount-page.ts';
import type { ClassifyState, Network } from '../state/state.ts';
import { lacksVariants } from './make-variants.ts';
import { variantName } from './names.ts';
import type { PictureSession } from './picture-session.ts';

function lineOf({ variants, builtIn }: Network): string {
  const classes = variants[0]?.model.info.imageClassifier.classes ?? 0;
  const sizes = variants.map(
    ({ kind, model }) => `${variantName(kind)} ${formatBytes(model.info.bytes)}`,
  );
  return [`${formatCount(classes)} classes`, ...sizes, ...(builtIn ? ['built in'] : [])].join(', ');
}

export function mountNetworkPanel(
  store: Store<ClassifyState>,
  session: PictureSession,
  receive: Receive,
): void {
  const name = byId('network-name', HTMLElement);
  const line = byId('network-line', HTMLElement);
  const builtIn = byId('built-in', HTMLButtonElement);
  const compare = byId('compare', HTMLButtonElement);

  onFilesChosen(byId('files', HTMLInputElement), (files) => {
    void receive(pickedFiles(files));
  });
  builtIn.addEventListener('click', () => void session.openBuiltIn());
  compare.addEventListener('click', () => void session.compare());
  store.watch(['network', 'picture', 'job'], ({ network, picture, job }) => {
    compare.hidden = network === null || !lacksVariants(network);
    compare.disabled = picture === null || job !== null;
  });
  store.watch(['network', 'job'], ({ network, job }) => {
    name.textContent = network?.name ?? (job === null ? 'None' : 'Loading…');
    line.textContent = network === null ? '' : lineOf(network);
    builtIn.hidden = network === null ? job !== null : network.builtIn;
  });
}
