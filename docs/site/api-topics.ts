// The pages of the API reference. What the package exports goes to the page of the folder of web/src that declares it.

export interface Topic {
  /** The name of its page, without the ending. */
  readonly id: string;
  readonly title: string;
  /** What the page is for, as a sentence. */
  readonly summary: string;
  /** Folders and files below web/src, and the names of functions and values that web/src/index.ts and entries/main declare. */
  readonly holds: readonly string[];
}

export const topics: readonly Topic[] = [
  {
    id: 'open',
    title: 'Opening models',
    summary: 'Every model opens with one function, from every source of bytes.',
    holds: [
      'model',
      'entries/built/kinds/models.ts',
      'sources',
      'runtime',
      'platform',
      'rpc',
      'base',
      'open',
      'cache',
    ],
  },
  {
    id: 'encoder',
    title: 'Encoders',
    summary: 'Texts to vectors, and distillation to static encoders.',
    holds: ['encoder', 'late-interaction', 'model/embed-types.ts', 'model/cosine.ts', 'distill'],
  },
  {
    id: 'search',
    title: 'Search',
    summary: 'Indexes of passages, searched by meaning and by words.',
    holds: [
      'search',
      'createIndex',
      'openIndex',
      'createVectorIndex',
      'openVectorIndex',
      'vectorCaches',
    ],
  },
  {
    id: 'reranker',
    title: 'Rerankers',
    summary: 'Models that sort texts for a query.',
    holds: ['reranker'],
  },
  {
    id: 'question-answering',
    title: 'Question answering',
    summary: 'Models that find the part of a text that answers a question.',
    holds: ['question-answering'],
  },
  {
    id: 'fill-mask',
    title: 'Missing words',
    summary: 'Models that fill in missing words.',
    holds: ['fill-mask'],
  },
  {
    id: 'sparse-encoder',
    title: 'Sparse encoders',
    summary: 'Models that give the words that matter to a text, and their weights.',
    holds: ['sparse-encoder'],
  },
  {
    id: 'generator',
    title: 'Language models',
    summary: 'Text, answers in a form, conversations and tools.',
    holds: ['generator', 'gpu', 'openJournal'],
  },
  {
    id: 'words',
    title: 'Word vectors',
    summary: 'Lookups, similar words and analogies.',
    holds: ['words'],
  },
  {
    id: 'image-classifier',
    title: 'Image classifiers',
    summary: 'Convolutional networks that give labels to pictures.',
    holds: ['image-classifier', 'uprightPixels'],
  },
  {
    id: 'text-classifier',
    title: 'Text classifiers',
    summary:
      'Models of fastText, encoders and classifiers from examples that give labels to texts.',
    holds: [
      'text-classifier',
      'classification-head',
      'model/classify-types.ts',
      'createClassifier',
    ],
  },
  {
    id: 'token-classifier',
    title: 'Token classifiers',
    summary: 'Models that find names and other entities in texts.',
    holds: ['token-classifier', 'token-head'],
  },
  {
    id: 'tokenizer',
    title: 'Tokenizers',
    summary: 'Texts to token ids and back.',
    holds: ['tokenizer', 'file-tokenizer', 'openTokenizer'],
  },
  {
    id: 'files',
    title: 'Model files',
    summary: 'Inspecting, validating, converting and quantizing files.',
    holds: [
      'model/file-info.ts',
      'wasm/tables.ts',
      'inspect',
      'runReport',
      'validate',
      'convert',
      'conversionTargets',
      'quantize',
    ],
  },
  {
    id: 'doctor',
    title: 'The machine',
    summary: 'What a browser or Node supports, and how to fix the rest.',
    holds: ['doctor'],
  },
];

/** Entries of the package whose exports have a page of their own. */
export const entryPages: readonly (Omit<Topic, 'holds'> & { readonly source: string })[] = [
  {
    id: 'passages',
    title: 'ambry/passages',
    summary: 'Documents to passages.',
    source: 'entries/passages/passages.ts',
  },
  {
    id: 'tables',
    title: 'ambry/tables',
    summary: 'The formats and types that there are, and the values and defaults of options.',
    source: 'entries/tables.ts',
  },
  {
    id: 'terms',
    title: 'ambry/terms',
    summary: 'The terms of a text, and what removes their endings, for a search for words.',
    source: 'entries/terms.ts',
  },
];

/** The topic of an export by the path of its declaration below web/src; the longest match decides. */
export function topicOf(name: string, path: string): Topic {
  const places =
    path === 'index.ts' || path.startsWith('entries/main/') ? [name] : [path, ...foldersOf(path)];
  for (const place of places) {
    const topic = topics.find(({ holds }) => holds.includes(place));
    if (topic) {
      return topic;
    }
  }
  throw new Error(
    `No page of the API reference has ${name} of ${path}: add it to docs/site/api-topics.ts`,
  );
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('/'));
}
