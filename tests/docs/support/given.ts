// What the examples of the documentation take for granted: names that a reader knows from the text around, and what they stand
// for here. They are expressions for Node and for pages; `readerFile` gives a file of the reader in both.

/** The first row that fits decides. `where` begins the path of the page, and `when` is found in the code. */
interface Given {
  readonly name: string;
  readonly is: string;
  readonly where?: string;
  readonly when?: RegExp;
}

const texts = "['Cats nap all day.', 'Dogs bark.']";
const language = "await open('chat.gguf', { kind: 'generator' })";
const encoder = "await open('minilm.weights', { kind: 'encoder' })";
const late = "await open('colbert.weights', { kind: 'encoder' })";

const rows: readonly Given[] = [
  { name: 'model', where: 'web/src/generator/', is: language },
  { name: 'model', where: 'docs/chat.md', when: /index\.search/, is: encoder },
  { name: 'model', where: 'docs/chat.md', is: language },
  {
    name: 'model',
    where: 'web/src/encoder/',
    when: /embedAll/,
    is: "await open('bge-m3/', { kind: 'encoder' })",
  },
  { name: 'model', where: 'docs/decide.md', is: language },
  { name: 'model', where: 'web/src/encoder/', when: /embedTokens|\.rank\(/, is: late },
  {
    name: 'model',
    where: 'web/src/image-classifier/',
    is: "await open('net.bin', { kind: 'imageClassifier' })",
  },
  {
    name: 'model',
    where: 'web/src/text-classifier/',
    is: "await open('lid.176.ftz', { kind: 'textClassifier' })",
  },
  {
    name: 'model',
    where: 'web/src/token-classifier/',
    is: "await open('ner.weights', { kind: 'tokenClassifier' })",
  },
  {
    name: 'model',
    where: 'docs/token-classification.md',
    is: "await open('ner.weights', { kind: 'tokenClassifier' })",
  },
  {
    name: 'model',
    where: 'web/src/reranker/',
    is: "await open('reranker.weights', { kind: 'reranker' })",
  },
  {
    name: 'model',
    where: 'web/src/question-answering/',
    is: "await open('tinyroberta-squad2/', { kind: 'questionAnswering' })",
  },
  {
    name: 'model',
    where: 'web/src/fill-mask/',
    is: "await open('bert-base-uncased/', { kind: 'fillMask' })",
  },
  { name: 'qwen', is: "await open({ path: 'Qwen3-Reranker-0.6B' }, { kind: 'reranker' })" },
  {
    name: 'model',
    where: 'web/src/sparse-encoder/',
    is: "await open('splade/', { kind: 'sparseEncoder' })",
  },
  { name: 'model', is: encoder },
  { name: 'encoder', is: encoder },
  {
    name: 'examples',
    is: "[{ text: 'My card was stolen.', label: 'card' }, { text: 'The transfer is late.', label: 'transfer' }]",
  },
  { name: 'topics', is: 'await createClassifier(encoder, examples)' },
  { name: 'nli', is: "await open('nli.weights', { kind: 'textClassifier' })" },
  { name: 'floats', is: "await open('net.bin', { kind: 'imageClassifier' })" },
  {
    name: 'index',
    is: "await createIndex(model, [{ id: 2, text: 'The moon pulls the sea.', source: 'a.md' }])",
  },
  {
    name: 'chat',
    when: /rewind/,
    is: "model.session({ messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Ho' }] })",
  },
  { name: 'chat', is: 'model.session()' },
  { name: 'file', where: 'web/src/image-classifier/', is: "await readerFile('digit.png')" },
  {
    name: 'file',
    where: 'web/src/entries/passages/',
    when: /readRecords/,
    is: "await readerFile('texts.jsonl')",
  },
  {
    name: 'file',
    where: 'web/src/index.ts',
    when: /quantize/,
    is: "await readerFile('stories.amb')",
  },
  {
    name: 'file',
    when: /readExamples/,
    is: "new File(['text,label\\nMy card,card\\nMy money,money\\n'], 'topics.csv')",
  },
  { name: 'file', when: /readDocument/, is: "new File(['# Tides'], 'notes.md')" },
  { name: 'file', is: "await readerFile('minilm.weights')" },
  { name: 'small', is: "await open('net-dq8.bin', { kind: 'imageClassifier' })" },
  { name: 'a', is: "await readerFile('all-MiniLM-L6-v2/config.json')" },
  { name: 'b', is: "await readerFile('all-MiniLM-L6-v2/model.safetensors')" },
  { name: 'c', is: "await readerFile('all-MiniLM-L6-v2/vocab.txt')" },
  { name: 'plan', is: "JSON.parse(await (await readerFile('net.json')).text())" },
  { name: 'pictures', is: "[await readerFile('digit.png')]" },
  { name: 'read', is: "[await readDocument('notes.md', new TextEncoder().encode('# Tides'))]" },
  { name: 'docs', is: `${texts}.map((text) => ({ text }))` },
  { name: 'passages', is: texts },
  { name: 'passage', is: "'Most cats sleep in the kitchen.'" },
  { name: 'documents', is: texts },
  { name: 'query', is: "'how do cats sleep?'" },
  { name: 'messages', is: "[{ role: 'user' as const, content: 'How warm is it in Oslo?' }]" },
  {
    name: 'tools',
    is: "[{ type: 'function' as const, function: { name: 'warmth', parameters: { type: 'object', properties: { city: { type: 'string' } } } } }]",
  },
  { name: 'endpoint', is: "'https://hub.example.org'" },
  { name: 'token', is: "'hf_reader'" },
  {
    name: 'callTool',
    is: 'async (name: string, given: object): Promise<object> => ({ name, given })',
  },
  { name: 'write', is: '(text: string): void => void text' },
];

/** The expressions of the names that `code` may take for granted, in an order in which they can be evaluated. */
export function givenNames(page: string, code: string): [name: string, expression: string][] {
  const found = new Map<string, string>();
  const own = declaredIn(code);
  const visit = (text: string) => {
    for (const { name, is, where = '', when } of rows) {
      if (
        own.has(name) ||
        found.has(name) ||
        !page.startsWith(where) ||
        (when && !when.test(code))
      ) {
        continue;
      }
      if (!new RegExp(`(?<![.\\w'/-])${name}(?![\\w':-])`).test(text)) {
        continue;
      }
      // The names that the expression needs come first.
      found.set(name, is);
      visit(is);
      found.delete(name);
      found.set(name, is);
    }
  };
  visit(code);
  return [...found];
}

function declaredIn(code: string): Set<string> {
  const declarations = code.matchAll(/\b(?:const|let|function)\s+(?:[{[]([^}\]]*)[}\]]|(\w+))/g);
  return new Set(
    [...declarations].flatMap(([, list, one]) => (list ?? one ?? '').match(/\w+/g) ?? []),
  );
}
