import { open } from 'ambry';

const model = await open('../models/english-192x1.weights', { kind: 'encoder' });
const texts = ['How do I bake bread?', 'A recipe for a loaf', 'The tides of the sea'];

// One array with the vectors one after another, each of length 1.
const vectors = await model.embed(texts, { normalize: true });
const vector = (i) => vectors.subarray(i * model.dim, (i + 1) * model.dim);
const cosine = (a, b) => a.reduce((sum, number, i) => sum + number * b[i], 0);

console.log(vector(0));
for (let i = 1; i < texts.length; i++) {
  console.log(cosine(vector(0), vector(i)).toFixed(3), texts[i]);
}
