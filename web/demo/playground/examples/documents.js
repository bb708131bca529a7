import { createIndex, open } from 'ambry';
import { readDocument } from 'ambry/passages';

const markdown = `# Kitchen

Bread rises because yeast makes gas.

# Nature

Tides follow the moon.`;

const model = await open('../models/english-192x1.weights', { kind: 'encoder' });
const { passages } = await readDocument('notes.md', new TextEncoder().encode(markdown));
console.log(passages);

const index = await createIndex(model, passages);
const [best] = await index.search('what moves the sea?', { hybrid: true, k: 1 });
console.log(best.text);
