// One turn: who speaks, the text as Markdown or as tokens, what is known of it, and its buttons.

import { formatAmount, formatRoughly } from '../../shared/base/format.ts';
import { copyButton } from '../../shared/dom/copy-button.ts';
import { button, element } from '../../shared/dom/dom.ts';
import type { MarkdownView } from '../markdown/markdown-view.ts';
import type { AnswerFacts, Turn } from '../state/state.ts';
import { spanOf } from '../tokens/token-spans.ts';
import { editForm } from './edit-form.ts';

const speakers = { user: 'You', model: 'Model' } as const;

/** How a turn is shown beside what it is. */
interface TurnSetting {
  readonly asTokens: boolean;
  /** The last turn can be answered again. */
  readonly isLast: boolean;
  /** While the model writes, no button of a turn can be used. */
  readonly isBusy: boolean;
  /** A text to be continued has no buttons. */
  readonly isChat: boolean;
}

interface TurnActions {
  regenerate(): void;
  /** Returns false if the text was not sent. */
  edit(text: string): boolean;
}

function factsLine({ model, tokens, tokensPerSecond, firstTokenMs }: AnswerFacts): string {
  const first =
    firstTokenMs === null ? '' : `first token after ${formatRoughly(firstTokenMs / 1000)} s`;
  const rate = tokensPerSecond > 0 ? `${formatRoughly(tokensPerSecond)} tokens/s` : '';
  return [model, formatAmount(tokens, 'token'), rate, first].filter((part) => part).join(' · ');
}

/** Whether nothing but tokens at the end was added. The elements of the others stay, and with them a selection. */
const goesOn = (before: Turn, turn: Turn): boolean =>
  turn.tokens.length >= before.tokens.length &&
  before.tokens.length > 0 &&
  before.tokens.every((token, i) => token === turn.tokens[i]);

const isSameSetting = (a: TurnSetting, b: TurnSetting): boolean =>
  a.asTokens === b.asTokens &&
  a.isLast === b.isLast &&
  a.isBusy === b.isBusy &&
  a.isChat === b.isChat;

export class TurnView {
  readonly element: HTMLElement;
  readonly #foot = element('p', 'turn-facts');
  readonly #buttons = element('div', 'turn-actions');
  readonly #again: HTMLButtonElement;
  readonly #actions: TurnActions;
  #text: HTMLElement = element('p', 'turn-text');
  readonly #thought = element('p', 'turn-thought');
  readonly #reasoning = element(
    'details',
    'turn-reasoning',
    element('summary', '', 'Reasoning'),
    this.#thought,
  );
  #turn: Turn;
  #shown: { readonly turn: Turn; readonly setting: TurnSetting } | undefined;
  #form: HTMLFormElement | undefined;
  #markdown: Promise<MarkdownView> | undefined;

  constructor(turn: Turn, actions: TurnActions) {
    this.#turn = turn;
    this.#actions = actions;
    this.#again = button('Regenerate', 'quiet', () => actions.regenerate());
    this.#buttons.append(copyButton('Copy', () => this.#turn.text));
    if (turn.from === 'user') {
      this.#buttons.append(button('Edit', 'quiet', () => this.#edit()));
    }
    this.#buttons.append(this.#again);
    this.element = element(
      'div',
      `turn ${turn.from}`,
      element('p', 'speaker', speakers[turn.from]),
      this.#reasoning,
      this.#text,
      element('div', 'turn-foot', this.#foot, this.#buttons),
    );
  }

  /** Whether this view can show the turn, and not only one of another speaker. */
  fits({ from }: Turn): boolean {
    return from === this.#turn.from;
  }

  show(turn: Turn, setting: TurnSetting): void {
    const before = this.#shown;
    // Most turns of a long conversation stay as they are while an answer comes.
    if (before?.turn === turn && isSameSetting(before.setting, setting)) {
      return;
    }
    this.#turn = turn;
    this.element.classList.toggle('dropped', turn.isDropped === true);
    if (before?.turn !== turn || before.setting.asTokens !== setting.asTokens) {
      this.#showReasoning(turn, setting.asTokens);
      this.#showText(turn, setting.asTokens);
    }
    this.#shown = { turn, setting };
    this.#showFoot();
  }

  #showFoot(): void {
    if (this.#shown === undefined) {
      return;
    }
    const { turn, setting } = this.#shown;
    const isOld = setting.asTokens && turn.from === 'model' && turn.tokens.length === 0;
    this.#foot.textContent = [
      turn.facts && factsLine(turn.facts),
      isOld && 'probabilities are not kept',
      turn.isDropped && 'The context has no room for this any more.',
    ]
      .filter((part) => part)
      .join(' · ');
    this.#buttons.hidden = setting.isBusy || this.#form !== undefined;
    this.#again.hidden = !setting.isLast;
    this.#again.textContent = turn.from === 'user' ? 'Try again' : 'Regenerate';
    (this.#foot.parentElement as HTMLElement).hidden = !setting.isChat;
  }

  /** In the view of tokens, those of the reasoning are among the others. */
  #showReasoning({ reasoning = '', tokens }: Turn, asTokens: boolean): void {
    const isAmongTokens = asTokens && tokens.length > 0;
    this.#reasoning.hidden = reasoning === '' || isAmongTokens;
    this.#thought.textContent = isAmongTokens ? '' : reasoning;
  }

  #showText(turn: Turn, asTokens: boolean): void {
    if (turn.from === 'user') {
      this.#replaceText('p', turn.text);
    } else if (!asTokens) {
      this.#showMarkdown(turn.text);
    } else if (this.#shown?.setting.asTokens && goesOn(this.#shown.turn, turn)) {
      // Only the new tokens, so that long texts stay fast.
      this.#text.append(...turn.tokens.slice(this.#shown.turn.tokens.length).map(spanOf));
    } else {
      this.#replaceText('p', ...(turn.tokens.length > 0 ? turn.tokens.map(spanOf) : [turn.text]));
    }
  }

  #replaceText(tag: 'p' | 'div', ...content: readonly (Node | string)[]): void {
    const text = element(tag, 'turn-text', ...content);
    this.#text.replaceWith(text);
    this.#text = text;
    this.#markdown = undefined;
  }

  /** The reader of Markdown comes with the first answer. Until then its text is shown as it is. */
  #showMarkdown(text: string): void {
    if (this.#markdown === undefined) {
      this.#replaceText('div', text);
      const host = this.#text;
      host.setAttribute('aria-busy', 'true');
      this.#markdown = import('../markdown/markdown-view.ts').then(
        ({ MarkdownView }) => new MarkdownView(host),
      );
    }
    void this.#markdown.then((view) => view.show(this.#turn.text)).catch(() => undefined);
  }

  #edit(): void {
    const close = (): void => {
      this.#form?.replaceWith(this.#text);
      this.#form = undefined;
      this.#showFoot();
    };
    this.#form = editForm(this.#turn.text, {
      cancel: () => {
        close();
        this.#buttons.querySelector<HTMLElement>('button + button')?.focus();
      },
      send: (changed) => {
        close();
        this.#actions.edit(changed);
      },
    });
    this.#text.replaceWith(this.#form);
    this.#showFoot();
    this.#form.querySelector('textarea')?.focus();
  }
}
