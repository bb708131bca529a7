// The entry of the playground.

import { Store } from '../shared/base/store.ts';
import { button, byId } from '../shared/dom/dom.ts';
import { ListFold } from '../shared/dom/list-fold.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink, writeLink } from '../shared/page-address/parameters.ts';
import { mountShare } from '../shared/share/share-view.ts';
import { examples } from './examples.ts';
import {
  codeIn,
  linkTo,
  maxLinkLength,
  type PlaygroundLink,
  playgroundParameters,
} from './playground-link.ts';
import { PlaygroundSession } from './session.ts';
import { emptyState } from './state.ts';

const foreignCode = 'This code came with the link. Read it before you run it.';
const tooLong = 'The code is too long for a link. Links hold about 8 KB.';
const damagedLink = 'The code in this link is damaged or too long. Ask for another link.';

const store = new Store(emptyState);
const session = new PlaygroundSession(store);
const code = byId('code', HTMLTextAreaElement);
const run = byId('run', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const output = byId('output', HTMLPreElement);
const status = byId('status', HTMLElement);
const problem = byId('problem', HTMLElement);

/** The link that the page came to last. A code that is changed afterwards stays out of the address. */
let linked = readLink(location.search, playgroundParameters);
const show = async (link: PlaygroundLink): Promise<void> => {
  linked = link;
  const text = await codeIn(link);
  if (text === null) {
    store.update({ notice: '', problem: damagedLink });
  } else {
    session.edit(text);
    store.update({ notice: link.code === '' ? '' : foreignCode, problem: '' });
  }
};
const address = mountPageAddress<PlaygroundLink>({
  parameters: playgroundParameters,
  current: () => linked,
  follow: show,
  titleOf: ({ example }) => (example === playgroundParameters.example.absent ? '' : example),
});
const choices = examples.map(({ name }) =>
  button(name, 'quiet', () => {
    void show({ example: name, code: '' });
    address.choose();
  }),
);
byId('examples', HTMLElement).append(...choices);

code.addEventListener('input', () => session.edit(code.value));
code.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) {
    return;
  }
  event.preventDefault();
  byId('code-form', HTMLFormElement).requestSubmit();
});
byId('code-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  session.run();
  showPrinted();
});
stop.addEventListener('click', () => session.stop());

store.watch(['code'], (state) => {
  if (code.value !== state.code) {
    code.value = state.code;
  }
});
const showOutput = (): void => {
  const lines = store.state.output.split(/(?<=\n)/);
  output.textContent = fold.take(lines).join('');
};
const fold = new ListFold(output, {
  first: 200,
  part: Number.POSITIVE_INFINITY,
  noun: 'lines',
  render: showOutput,
});
store.watch(['output'], showOutput);
/** On a phone the output is below its code. */
const showPrinted = (): void => byId('printed', HTMLElement).scrollIntoView({ block: 'nearest' });
store.watch(['isRunning', 'notice', 'problem'], (state) => {
  run.disabled = state.isRunning;
  stop.disabled = !state.isRunning;
  status.textContent = state.notice;
  problem.textContent = state.problem;
});
void show(linked);
mountShare(byId('share', HTMLElement), {
  load: async () => ({
    async link() {
      const link = await linkTo(store.state.code);
      const url = new URL(
        location.pathname + writeLink('', playgroundParameters, link),
        location.origin,
      );
      return url.href.length > maxLinkLength ? tooLong : { url: url.href, without: '' };
    },
  }),
  notify: (notice) => store.update({ notice }),
})();
