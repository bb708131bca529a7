import { open } from 'ambry';

// A tiny model, trained on made-up sentences: it misses names, and takes other words for names.
const model = await open('../models/entities-96x1.weights', { kind: 'tokenClassifier' });
const text = `Ada Lovelace moved to London on 3 May 1835.
Write to ada.lovelace@example.org, or call +44 20 7946 0018.`;

// Whole words get one label.
const options = { aggregation: 'average' };
for (const { label, text: found, score } of await model.tag(text, options)) {
  console.log(score.toFixed(2), label, found);
}
console.log(await model.redact(text, options));
