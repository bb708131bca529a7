// The panel with the model in use, its memory settings, and the controls to open another.

import { formatBytes, formatCount, formatRoughly } from '../../shared/base/format.ts';
import { formatName } from '../../shared/base/format-names.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { mountLoadedPanel } from '../../shared/jobs/loaded-panel.ts';
import { isChatModel } from '../model/built-in.ts';
import type { PageSession } from '../session/session.ts';
import type { MemoryChoice } from '../state/settings.ts';
import type { ChatState, LoadedModel } from '../state/state.ts';

const megabyte = 1e6;

function summaryOf({ model: { info }, generator, builtIn }: LoadedModel): string {
  const kind = `${formatName(info.format)}, ${generator.architecture}, ${formatBytes(info.bytes)}`;
  return builtIn ? `${kind}, built in` : kind;
}

function factsOf({ model, generator }: LoadedModel): (readonly [string, string])[] {
  const { info } = model;
  return [
    ['Format', `${formatName(info.format)} ${info.version}`],
    ['Architecture', generator.architecture],
    ['Layers', formatCount(generator.layers)],
    ['Vocabulary', formatCount(generator.vocabulary)],
    ['Context', formatCount(generator.context)],
    ['File', `${formatBytes(info.bytes)} (${formatCount(info.bytes)} bytes)`],
    ['Weights in memory', formatBytes(model.weightBytes)],
    ['KV cache per token', formatBytes(generator.keyValueBytes)],
    ['WebAssembly', model.flavour === 'relaxed' ? 'relaxed SIMD' : 'SIMD'],
  ];
}

/** Describes how much memory the model takes. */
function memoryLine({ model, generator }: LoadedModel): string {
  const context = `A full context takes ${formatBytes(generator.context * generator.keyValueBytes)}.`;
  const { streaming } = generator;
  if (streaming === null) {
    return `All weights are in memory: ${formatBytes(model.weightBytes)}. ${context}`;
  }
  const { resident, bytesPerPass, tokensPerSecond } = streaming;
  return (
    `At most ${formatBytes(resident)} of weights are in memory. ` +
    `${formatBytes(bytesPerPass)} are read for each token, at about ` +
    `${formatRoughly(tokensPerSecond)} tokens/s. ${context}`
  );
}

function mountMemory(store: Store<ChatState>, session: PageSession): void {
  const resident = byId('resident', HTMLInputElement);
  const kv = byId('kv', HTMLSelectElement);
  const line = byId('memory-line', HTMLElement);
  const apply = (): void => {
    if (resident.reportValidity()) {
      const bytes = resident.value === '' ? null : resident.valueAsNumber * megabyte;
      void session.setMemory({ resident: bytes, kv: kv.value as MemoryChoice['kv'] });
    }
  };
  resident.addEventListener('change', apply);
  kv.addEventListener('change', apply);
  store.watch(['memory', 'loaded'], ({ memory, loaded }) => {
    resident.value = memory.resident === null ? '' : String(memory.resident / megabyte);
    kv.value = memory.kv;
    line.textContent = loaded === null ? '' : memoryLine(loaded);
    if (loaded !== null && loaded.generator.streaming !== null) {
      byId('memory', HTMLDetailsElement).open = true;
    }
  });
}

function mountChatModel(store: Store<ChatState>, session: PageSession): void {
  const button = byId('chat-model', HTMLButtonElement);
  button.addEventListener('click', () => void session.openChatModel());
  store.watch(['loaded', 'job'], ({ loaded, job }) => {
    button.hidden = job !== null || isChatModel(loaded);
  });
}

export function mountModelPanel(store: Store<ChatState>, session: PageSession): void {
  mountLoadedPanel(store, session, 'model', { summary: summaryOf, facts: factsOf });
  mountChatModel(store, session);
  mountMemory(store, session);
}
