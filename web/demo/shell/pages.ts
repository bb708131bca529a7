// The pages of the site, in the order of the navigation. A new page needs a row here and a folder. The build makes the HTML of a
// page of its row and of what it shows (web/build/pages-plugin.ts).

/** A colour of links, buttons and marks, a paler one behind them, and in the dark also the one on top of them. */
export interface Accent {
  readonly light: readonly [accent: string, wash: string];
  readonly dark: readonly [accent: string, wash: string, ink: string];
}

/** What the shell of a page needs to know. */
export interface PageShell {
  /** The path below the site's root. The build takes it as an entry. The file has what is in the `main` of the page. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Scripts that run before the page is drawn. */
  readonly scripts?: readonly string[];
  /** Paths below this room. */
  readonly styles: readonly string[];
  /** Where the first link of the page leads, and what it says. */
  readonly skip: readonly [target: string, text: string];
  /** Words of the glossary that the page explains. */
  readonly terms?: string;
  /** Shown while files are dragged over the page. */
  readonly drop?: string;
}

export interface SitePage extends PageShell {
  /** The name in the navigation. */
  readonly name: string;
  /** What the page for a wrong address says of it. */
  readonly about?: string;
  /** By default the green one of tokens.css. */
  readonly accent?: Accent;
  /** The models, below the site's root, that the page opens by itself. It keeps them to work offline. */
  readonly opens?: readonly string[];
}

/** The landing page, to which the logo leads. */
export const homePage: PageShell = {
  path: 'index.html',
  title: 'small models in your browser',
  description:
    'Ambry opens, checks, converts and runs small models in your browser. Drop any model: it says what it is and whether it is sound. Nothing leaves your machine.',
  scripts: ['scripts/forward-questions.js'],
  styles: ['styles/open-file.css', 'home/home.css'],
  skip: ['#files', 'Skip to the file chooser'],
  drop: 'Drop a model, a folder or documents',
};

export const homePath = homePage.path;

/** Servers send it, with the status 404, for an address without a page. */
export const missingPath = '404.html';

export const sitePages: readonly SitePage[] = [
  {
    path: 'search/index.html',
    name: 'Search',
    title: 'search by meaning',
    description:
      'Type a question and find the passages closest in meaning. The model runs in your browser, and nothing leaves your machine.',
    about: 'find passages by their meaning',
    styles: [
      'styles/query.css',
      'styles/menu.css',
      'search/search.css',
      'search/results.css',
      'search/answers.css',
      'styles/map-frame.css',
      'styles/word-map.css',
      'styles/point-map.css',
    ],
    opens: ['models/english-static-336.weights'],
    skip: ['#query', 'Skip to the search field'],
    terms:
      'Encoder; Embedding; Word vectors; Weights; Passage; Index; Cosine similarity; Hybrid search; Hub',
    drop: 'Drop a model, an index or documents',
  },
  {
    path: 'words/index.html',
    name: 'Words',
    title: 'explore word vectors',
    description:
      'Explore word vectors in your browser: the nearest words as a list and a map, analogies, and vectors of unknown words. Files stay on your machine.',
    about: 'look up word vectors',
    styles: [
      'styles/query.css',
      'styles/menu.css',
      'styles/open-file.css',
      'styles/tables.css',
      'styles/map-frame.css',
      'styles/word-map.css',
      'styles/point-map.css',
      'words/words.css',
    ],
    opens: ['models/books-96.fifu', 'samples/first-words.fifu'],
    skip: ['#word', 'Skip to the word field'],
    terms: 'Word vectors; Embedding; Cosine similarity; N-gram; Vocabulary; Format; Hub',
    drop: 'Drop word vectors or questions',
    accent: { light: ['#5f3a86', '#ece4f0'], dark: ['#cdb3ef', '#2c2437', '#1d1429'] },
  },
  {
    path: 'classify/index.html',
    name: 'Classify',
    title: 'classify pictures and texts',
    description:
      'Draw a digit, type a text, or give examples of your own. Small models classify them in your browser, and nothing leaves your machine.',
    about: 'classify a picture or a text',
    styles: [
      'styles/query.css',
      'styles/menu.css',
      'styles/tables.css',
      'classify/classify.css',
      'classify/picture/feature-maps.css',
      'classify/texts/texts.css',
      'classify/learn/learn.css',
    ],
    opens: [
      'models/digits-plan.json',
      'models/digits-vanilla.bin',
      'models/digits-dq8.bin',
      'models/digits-sq8.bin',
    ],
    skip: ['#examples', 'Skip to the pad'],
    terms:
      'Image classifier; Text classifier; Token classifier; Held-out score; CNN; Layer; Weights; Activations; Quantize; Calibration; Softmax',
    drop: 'Drop a picture, a model or examples',
    accent: { light: ['#0c5670', '#deeaec'], dark: ['#86cbe2', '#1a2f36', '#0b1d24'] },
  },
  {
    path: 'chat/index.html',
    name: 'Chat',
    title: 'chat and write with a language model',
    description:
      'A language model chats with you or continues your text, and shows how likely each word was. It runs in your browser, and your text stays on your machine.',
    about: 'let a model write',
    styles: [
      'styles/query.css',
      // Without it, the fields of queries and these folds would be two files for the other pages.
      'styles/menu.css',
      'styles/open-file.css',
      'chat/chat.css',
      'chat/turns.css',
      'chat/markdown.css',
    ],
    opens: ['models/stories.amb'],
    skip: ['#draft', 'Skip to the text field'],
    terms:
      'Language model; Token; Prompt; Context; Sampling; Penalty; Surprise; Form; KV cache; Weights; Hub',
    drop: 'Drop a language model',
    accent: { light: ['#862a58', '#f4e2e8'], dark: ['#f0a8cb', '#37222d', '#29101d'] },
  },
  {
    path: 'check/index.html',
    name: 'Check a file',
    title: 'check a model file',
    description:
      'See what a model file holds and whether it is damaged, down to the byte. The file stays on your machine.',
    about: 'see whether it is sound',
    styles: [
      'styles/open-file.css',
      'styles/tables.css',
      'check/check.css',
      'check/architecture.css',
      'styles/map-frame.css',
      'check/graph.css',
      'check/tensor-table.css',
    ],
    skip: ['#files', 'Skip to the file chooser'],
    terms:
      'Format; Header; Tensor; dtype; Quantize; Layer; Attention; Tokenizer; Strict, lenient; Range request',
    drop: 'Drop files to check them',
    accent: { light: ['#1e4d90', '#e2e8f1'], dark: ['#9fc3f6', '#1f2b3c', '#0f1b2b'] },
  },
  {
    path: 'convert/index.html',
    name: 'Convert',
    title: 'convert a model',
    description:
      'Convert a model to another format or to a smaller file. It runs in your browser, and the file stays on your machine.',
    about: 'store a model in another format',
    styles: ['styles/open-file.css', 'styles/tables.css', 'convert/convert.css'],
    skip: ['#files', 'Skip to the file chooser'],
    terms:
      'Format; Weights; Quantize; Scale; Block; Calibration; f32, f16, bf16; Cosine similarity; Hub',
    drop: 'Drop a model to convert it',
    accent: { light: ['#545a0f', '#eceddb'], dark: ['#cdd27f', '#2b2e19', '#1c1e09'] },
  },
  {
    path: 'playground/index.html',
    name: 'Playground',
    title: 'playground',
    description:
      'Change an example and run it in this page with the real package. Nothing leaves your machine.',
    styles: ['playground/playground.css'],
    skip: ['#code', 'Skip to the code'],
    accent: { light: ['#38495e', '#e5e8ea'], dark: ['#b4c6dc', '#252d36', '#131a22'] },
  },
];
