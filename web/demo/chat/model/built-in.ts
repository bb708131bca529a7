// The built-in models and example texts for them: one writes short stories, and one follows a conversation.

import type { LoadedModel, Mode } from '../state/state.ts';

export const builtInFile = 'stories.amb';

/** The address of the model that follows a conversation. It is loaded when a user asks for it. */
export const chatModelUrl = (): string => new URL('../models/chat.amb', document.baseURI).href;

export const firstPrompt = 'Once upon a time';

const chatExamples = [
  'What can you do?',
  'What colour is the sky?',
  'Say "clouds over Oslo".',
  'Text: The museum in Kiel opens at 9. The tower is red.\nQuestion: When does the museum in Kiel open?',
];

const examples: Readonly<Record<Mode, readonly string[]>> = {
  text: [firstPrompt, 'The old robot', 'It was snowing', 'To make pancakes, you need', 'My friend'],
  chat: [
    'Tell me a story about a fox.',
    'How do I make soup?',
    'What does a dragon eat?',
    'Who are you?',
  ],
};

export const isChatModel = (loaded: LoadedModel | null): boolean =>
  loaded?.source === chatModelUrl();

export const examplesFor = (mode: Mode, loaded: LoadedModel | null): readonly string[] =>
  mode === 'chat' && isChatModel(loaded) ? chatExamples : examples[mode];
