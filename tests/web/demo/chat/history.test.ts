// Conversations as the browser keeps them.
import { describe, expect, it } from 'vitest';
import { problemOf } from '../../../../web/demo/chat/history/history-problem.ts';
import {
  contentsOf,
  type SavedConversation,
  stateOf,
  titleOf,
} from '../../../../web/demo/chat/history/saved-conversation.ts';
import { defaultSampling } from '../../../../web/demo/chat/state/settings.ts';
import { emptyState, type Turn } from '../../../../web/demo/chat/state/state.ts';

const user = (text: string): Turn => ({ from: 'user', text, tokens: [] });

describe('the title of a conversation', () => {
  it('is the beginning of its first message, cut at a word', () => {
    expect(titleOf([user(' What does\n a dragon  eat? ')])).toBe('What does a dragon eat?');
    const title = titleOf([user('a dragon '.repeat(20))]);
    expect(title).toBe('a dragon a dragon a dragon a dragon a dragon a dragon a…');
    expect(titleOf([user('x'.repeat(100))])).toHaveLength(61);
    expect(titleOf([])).toBe('Conversation');
  });
});

describe('a saved conversation', () => {
  const facts = { model: 'stories', tokens: 3, tokensPerSecond: 10, firstTokenMs: null };
  const answer: Turn = {
    from: 'model',
    text: 'b',
    tokens: [{ index: 0, id: 1, text: 'b' }],
    facts,
  };
  const state = { ...emptyState, system: 'Be brief.', turns: [user('a'), answer] };
  const saved = { ...contentsOf(state), version: 1 } as const;

  it('has no probabilities, and comes back with its settings', () => {
    expect(JSON.stringify(saved)).not.toContain('index');
    expect(stateOf(saved)).toEqual({
      system: 'Be brief.',
      trim: 'error',
      sampling: defaultSampling,
      form: { kind: 'free', texts: {} },
      turns: [user('a'), { ...answer, tokens: [] }],
      interrupted: null,
    });
  });

  it('has the tokens of an answer that is being written', () => {
    const stop = () => undefined;
    const tokens = [3, 4].map((id, index) => ({ index, id, text: 'a' }));
    const writing = { ...state, stop, isAnswer: true, turns: [user('a'), { ...answer, tokens }] };
    const { unfinished } = contentsOf(writing);
    expect(unfinished).toEqual([3, 4]);
    expect(contentsOf({ ...writing, turns: [user('a')] }).unfinished).toEqual([]);
    expect(contentsOf({ ...writing, isAnswer: false }).unfinished).toBeUndefined();
    const kept = { ...saved, model: 'small', unfinished };
    expect(stateOf(kept as SavedConversation)?.interrupted).toEqual({
      model: 'small',
      ids: [3, 4],
    });
    const damaged = { ...kept, unfinished: ['x'] };
    expect(stateOf(damaged as unknown as SavedConversation)?.interrupted).toBeNull();
  });

  it('takes defaults for what is missing or unknown', () => {
    const old = { version: 1, turns: [], trim: 'never', form: { kind: 'xml' } };
    expect(stateOf(old as unknown as SavedConversation)).toMatchObject({
      system: '',
      trim: 'error',
      form: { kind: 'free' },
    });
  });

  it('that is damaged or of another version is refused', () => {
    for (const turns of [undefined, 5, [null], [{ from: 'user' }], [{ from: 'x', text: 'a' }]]) {
      expect(stateOf({ ...saved, turns } as unknown as SavedConversation)).toBeNull();
    }
    expect(stateOf({ ...saved, version: 2 } as unknown as SavedConversation)).toBeNull();
  });
});

it('a problem with the storage is told plainly', () => {
  const named = (name: string) => problemOf(new DOMException('x', name));
  expect(named('QuotaExceededError')).toContain('no space left');
  expect(named('InvalidStateError')).toContain('does not let the page save');
});
