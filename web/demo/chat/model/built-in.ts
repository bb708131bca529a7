// The built-in model, which writes short stories, and example texts for it.

import type { Mode } from '../state/state.ts';

export const builtInFile = 'stories.amb';

export const firstPrompt = 'Once upon a time';

export const examples: Readonly<Record<Mode, readonly string[]>> = {
  text: [firstPrompt, 'The old robot', 'It was snowing', 'To make pancakes, you need', 'My friend'],
  chat: [
    'Tell me a story about a fox.',
    'How do I make soup?',
    'What does a dragon eat?',
    'Who are you?',
  ],
};
