import { createIndex, open } from 'ambry';

const model = await open('../models/english-192x1.weights', { kind: 'encoder' });
const index = await createIndex(model, [
  { id: 'bread', text: 'Bread rises because yeast makes gas.' },
  { id: 'tides', text: 'Tides follow the moon.' },
  { id: 'cats', text: 'Cats sleep for most of the day.' },
]);

// Change the question. With `hybrid: true` words count beside the meaning.
const hits = await index.search('why does dough grow?', { k: 3, hybrid: false });
for (const { id, text, score } of hits) {
  console.log(score.toFixed(3), id, text);
}
