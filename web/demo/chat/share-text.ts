// What can be shared of what the model wrote: the link to a text, and a program that writes it.

import { generateDefaults } from 'ambry/tables';
import { formatAmount } from '../shared/base/format.ts';
import { jsonOf } from '../shared/base/json-text.ts';
import type { Store } from '../shared/base/store.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { snippetModel } from '../shared/share/model-address.ts';
import { shareLink } from '../shared/share/share-link.ts';
import type { ShareLink, ShareResults, ShareTexts } from '../shared/share/share-texts.ts';
import { type Snippet, textSnippet } from '../shared/share/snippets.ts';
import { messagesOf } from './run/messages.ts';
import { type ChatLink, maxPromptLength } from './session/chat-link.ts';
import { withConversation } from './session/linked-conversation.ts';
import type { ChatState, Turn } from './state/state.ts';

/** The settings that differ from those of the package. The number of tokens has no such default. */
function optionsOf(
  { sampling }: ChatState,
  seed: number | null,
): Readonly<Record<string, unknown>> {
  const { newSeed: _, seed: last, stop, ...numbers } = sampling;
  const changed = Object.entries(numbers).filter(
    ([name, value]) => (generateDefaults as Readonly<Record<string, unknown>>)[name] !== value,
  );
  return {
    ...Object.fromEntries(changed),
    ...(stop.length > 0 && { stop }),
    seed: seed ?? last,
  };
}

function linkTo(state: ChatState, url: string): ShareLink | string {
  const { mode, turns, loaded, form } = state;
  if (mode === 'text' && (turns[0]?.text.length ?? 0) > maxPromptLength) {
    return `A text that begins with more than ${maxPromptLength} characters does not fit into a link.`;
  }
  const chat = mode === 'chat' ? 'The messages of a chat are not in the link.' : '';
  const answerForm = form.kind === 'free' ? '' : 'The form of the answer is not in the link.';
  return shareLink(url, loaded?.source, [chat, answerForm].filter((part) => part).join(' '));
}

const tooLong =
  'The conversation is too long for a link, which holds about 8 KB. Copy it as Markdown or JSON instead.';
const inside =
  'All of its messages are in the link, behind the #, which browsers do not send to servers.';

/** The link with the messages. */
async function fullLinkTo(state: ChatState, link: string): Promise<ShareLink | string> {
  const url = await withConversation(link, state);
  return url === null ? tooLong : shareLink(url, state.loaded?.source, inside);
}

function resultsOf({ mode, turns, system }: ChatState): ShareResults | null {
  if (mode !== 'chat' || turns.length === 0) {
    return null;
  }
  const nameOf = ({ from }: Turn): string => (from === 'user' ? 'You' : 'Model');
  return {
    what: formatAmount(turns.length, 'message'),
    fileName: 'conversation',
    texts: {
      Markdown: () => turns.map((turn) => `**${nameOf(turn)}**\n\n${turn.text}\n`).join('\n'),
      JSON: () => jsonOf({ messages: messagesOf(system, turns) }),
    },
  };
}

/** `shown` is the link that wrote the text on the page. */
function snippetsOf(state: ChatState, shown: ChatLink): readonly Snippet[] {
  const { loaded, mode, turns, system } = state;
  if (loaded === null || turns.length === 0) {
    return [];
  }
  const model = snippetModel(loaded.source, loaded.name);
  const asked = turns.slice(0, turns.findLastIndex(({ from }) => from === 'user') + 1);
  const prompt = mode === 'text' ? (turns[0]?.text ?? '') : { messages: messagesOf(system, asked) };
  return [textSnippet(model, prompt, optionsOf(state, shown.seed))];
}

export const shareText = (
  store: Store<ChatState>,
  address: Address,
  shown: () => ChatLink,
): ShareTexts => ({
  link: () => linkTo(store.state, address.link()),
  fullLink: () => fullLinkTo(store.state, address.link()),
  results: () => resultsOf(store.state),
  snippets: () => snippetsOf(store.state, shown()),
});
