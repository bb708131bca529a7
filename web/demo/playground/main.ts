// The entry of the playground.

import { button, byId } from '../shared/dom.ts';
import { Store } from '../shared/store.ts';
import { examples } from './examples.ts';
import { PlaygroundSession } from './session.ts';
import { emptyState } from './state.ts';

const store = new Store(emptyState);
const session = new PlaygroundSession(store);
const code = byId('code', HTMLTextAreaElement);
const run = byId('run', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const output = byId('output', HTMLPreElement);
const status = byId('status', HTMLElement);
const problem = byId('problem', HTMLElement);

const choices = examples.map(({ name, code: text }) =>
  button(name, 'quiet', () => session.edit(text)),
);
byId('examples', HTMLElement).append(...choices);

code.addEventListener('input', () => session.edit(code.value));
code.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  session.run();
});
byId('code-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  session.run();
});
stop.addEventListener('click', () => session.stop());

store.watch(['code'], (state) => {
  if (code.value !== state.code) code.value = state.code;
});
store.watch(['output'], (state) => {
  output.textContent = state.output;
  output.scrollTop = output.scrollHeight;
});
store.watch(['isRunning', 'notice', 'problem'], (state) => {
  run.disabled = state.isRunning;
  stop.disabled = !state.isRunning;
  status.textContent = state.notice;
  problem.textContent = state.problem;
});
session.edit(examples[0]?.code ?? '');
