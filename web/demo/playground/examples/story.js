import { open } from 'ambry';

const writer = await open('../models/stories.amb', { kind: 'generator' });

// Equal seeds give the same story. A higher temperature gives stranger ones.
const run = writer.generate('Once upon a time', { maxTokens: 60, temperature: 0.8, seed: 1 });
let story = 'Once upon a time';
for await (const { text } of run) {
  story += text;
}
console.log(story);

const { tokensPerSecond } = await run.result;
console.log(`${Math.round(tokensPerSecond)} tokens a second`);
