import { cosine, open } from 'ambry';

const model = await open('../models/english-192x1.weights', { kind: 'encoder' });
const texts = ['How do I bake bread?', 'A recipe for a loaf', 'The tides of the sea'];

// A vector for each text.
const [asked, ...others] = await model.embed(texts);

console.log(asked);
for (const [i, vector] of others.entries()) {
  console.log(cosine(asked, vector).toFixed(3), texts[i + 1]);
}
