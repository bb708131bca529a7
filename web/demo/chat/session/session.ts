// The actions of the chat page. An action that fails leaves the page as it was, and the written text stays.

import type { TrimPolicy } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import { openLinked, urlInLink } from '../../shared/page-address/open-linked.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { firstPrompt, isChatModel } from '../model/built-in.ts';
import { ModelOpener } from '../model/model-opener.ts';
import { Answering } from '../run/answering.ts';
import { TokenCounter } from '../run/token-counter.ts';
import { Writer } from '../run/writer.ts';
import type { AnswerForm } from '../state/answer-form.ts';
import type { MemoryChoice, Sampling } from '../state/settings.ts';
import { blank, type ChatState, type LoadedModel, type Mode, type View } from '../state/state.ts';
import { type ChatLink, samplingOf } from './chat-link.ts';

export class PageSession {
  readonly #store: Store<ChatState>;
  readonly #opener: ModelOpener;
  readonly #counter: TokenCounter;
  readonly #writer: Writer;
  /** What the page showed in the other mode. */
  #other: Pick<ChatState, 'turns' | 'outcome' | 'used'> = blank;

  constructor(store: Store<ChatState>, runtime: Runtime) {
    this.#store = store;
    this.#counter = new TokenCounter(store);
    this.#opener = new ModelOpener(store, runtime, (loaded) => this.#use(loaded));
    const remedies = {
      dropOldest: () => this.dropOldest(),
      withoutSystem: () => {
        this.setSystem('');
        this.regenerate();
      },
      asText: () => this.setMode('text'),
    };
    const answering = new Answering(store, remedies, (loaded) => this.#opener.reopen(loaded));
    this.#writer = new Writer(store, answering, () => this.#counter.countAnswer());
  }

  /** Writes a first story. Its seed is fixed, so the story is always the same. */
  writeFirstStory(): void {
    const { sampling } = this.#store.state;
    this.setSampling({ newSeed: false });
    this.#writer.writeText(firstPrompt);
    this.setSampling({ newSeed: sampling.newSeed });
  }

  /** Writes the text of a link, if it has one. The same model, seed and settings give the same text. */
  showLinked(link: ChatLink): void {
    const { seed, newSeed: _, ...sampling } = samplingOf(link);
    const { newSeed } = this.#store.state.sampling;
    // The first story has a fixed seed as well.
    const isFixed = link.seed !== null || link.prompt === '';
    this.setSampling({ ...sampling, ...(isFixed && { seed, newSeed: false }) });
    if (link.mode === 'chat' && this.#store.state.loaded?.generator.chatTemplate) {
      this.setMode('chat');
    } else if (link.prompt === '') {
      this.setMode('text');
      this.writeFirstStory();
    } else {
      this.setMode('text');
      this.#writer.writeText(link.prompt);
    }
    this.setSampling({ newSeed });
  }

  /** Shows what a link names after Back and Forward. */
  async follow(link: ChatLink): Promise<void> {
    if (link.url !== urlInLink(this.#store.state.loaded?.source)) {
      await this.openLinked(link.url);
    }
    this.showLinked(link);
  }

  /** Opens the model of a link, or the built-in model. */
  openLinked(url: string): Promise<void> {
    return openLinked(url, {
      open: (address) => this.openUrl(address),
      openBuiltIn: () => this.openBuiltIn(),
      fail: (failure) => this.#store.update({ failure }),
    });
  }

  openBuiltIn(): Promise<void> {
    return this.#opener.openBuiltIn();
  }

  /** Opens the built-in model that follows a conversation, and begins one. */
  async openChatModel(): Promise<void> {
    await this.#opener.openChatModel();
    if (isChatModel(this.#store.state.loaded)) {
      this.setMode('chat');
    }
  }

  openUrl(url: string): Promise<void> {
    return this.#opener.openUrl(url);
  }

  receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    return this.#opener.receive(given);
  }

  setMemory(memory: MemoryChoice): Promise<void> {
    return this.#opener.setMemory(memory);
  }

  setSampling(changes: Partial<Sampling>): void {
    this.#store.update({ sampling: { ...this.#store.state.sampling, ...changes } });
  }

  /** With the next message the model reads the whole conversation again. */
  setSystem(system: string): void {
    this.#store.update({ system });
    void this.countTokens('');
  }

  setTrim(trim: TrimPolicy): void {
    this.#store.update({ trim });
  }

  setForm(form: AnswerForm): void {
    this.#store.update({ form, formProblem: '' });
  }

  setView(view: View): void {
    this.#store.update({ view, selected: null });
  }

  /** Changes the mode. What the other mode shows is kept. */
  setMode(mode: Mode): void {
    const { state } = this.#store;
    if (mode === state.mode) {
      return;
    }
    state.stop?.();
    const { turns, outcome, used } = state;
    this.#store.update({ ...blank, ...this.#other, mode, failure: null });
    this.#other = { turns, outcome, used };
  }

  /** Empties the page: a new text, or a new conversation. */
  clear(): void {
    const { stop, mode, conversation } = this.#store.state;
    stop?.();
    const next = mode === 'chat' ? null : conversation;
    this.#store.update({ ...blank, conversation: next, failure: null, notice: '' });
  }

  /** An empty page for a new conversation, which keeps the settings. */
  newConversation(): void {
    this.setMode('chat');
    this.clear();
  }

  /** Shows a saved conversation with its settings. The next message has the model read it again. */
  showConversation(id: string, saved: Partial<ChatState>): void {
    this.setMode('chat');
    this.#store.state.stop?.();
    const fresh = { failure: null, notice: '', formProblem: '' };
    this.#store.update({ ...blank, ...fresh, ...saved, conversation: id });
    void this.countTokens('');
  }

  /** Shows the conversation of a link. It is not saved before it goes on, and the model reads it with the next message. */
  async showPacked(packed: string): Promise<void> {
    try {
      const { conversationOf } = await import('./linked-conversation.ts');
      const { system, turns } = await conversationOf(packed);
      this.setMode('chat');
      this.#store.state.stop?.();
      const notice = 'This conversation came with the link. It is saved when you go on with it.';
      const fresh = { failure: null, notice, formProblem: '', conversation: null };
      this.#store.update({ ...blank, ...fresh, system, turns, linkedTurns: turns });
      void this.countTokens('');
    } catch (error) {
      const title = 'The conversation of this link was not opened';
      this.#store.update({ failure: { title, error } });
    }
  }

  /** The conversation of the page was deleted. */
  forgetConversation(): void {
    const { mode } = this.#store.state;
    if (mode === 'chat') {
      this.clear();
    } else {
      this.#other = blank;
      this.#store.update({ conversation: null });
    }
  }

  submit(text: string): boolean {
    return this.#writer.submit(text);
  }

  regenerate(): boolean {
    return this.#writer.regenerate();
  }

  /** Goes on with the answer that was interrupted, if its model is open. */
  resume(): boolean {
    return this.#writer.resume();
  }

  edit(index: number, text: string): boolean {
    return this.#writer.edit(index, text);
  }

  continueText(): boolean {
    return this.#writer.continueText();
  }

  /** Leaves out the oldest turns from now on, and answers the last message again. */
  dropOldest(): boolean {
    this.setTrim('oldest');
    return this.regenerate();
  }

  countTokens(draft: string): Promise<void> {
    return this.#counter.count(draft);
  }

  /** A text is cleared, because its tokens are of the old model. A conversation goes on with the new one. */
  #use(loaded: LoadedModel): void {
    const { state } = this.#store;
    const isStopped = state.stop !== null;
    state.stop?.();
    if (loaded.generator.chatTemplate === null) {
      this.setMode('text');
    }
    if (this.#store.state.mode === 'text') {
      this.#store.update({ loaded, ...blank });
      this.#other = { ...this.#other, outcome: null };
      return;
    }
    const notice = isStopped ? 'The answer ends here, because another model was opened.' : '';
    this.#store.update({ loaded, stop: null, outcome: null, selected: null, notice });
    this.#other = blank;
    void this.countTokens('');
  }
}
