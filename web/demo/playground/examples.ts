// The examples of the playground. Each is a file of its own, which runs as it is.
import conversation from './examples/conversation.js?raw';
import documents from './examples/documents.js?raw';
import file from './examples/file.js?raw';
import names from './examples/names.js?raw';
import search from './examples/search.js?raw';
import similarity from './examples/similarity.js?raw';
import story from './examples/story.js?raw';
import tokens from './examples/tokens.js?raw';
import words from './examples/words.js?raw';

export const examples: readonly { readonly name: string; readonly code: string }[] = [
  { name: 'Search', code: search },
  { name: 'Similarity', code: similarity },
  { name: 'Documents', code: documents },
  { name: 'Words', code: words },
  { name: 'Story', code: story },
  { name: 'Answers in a form', code: conversation },
  { name: 'Names', code: names },
  { name: 'Tokens', code: tokens },
  { name: 'File', code: file },
];
