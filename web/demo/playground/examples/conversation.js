import { open } from 'ambry';

const writer = await open('../models/stories.amb', { kind: 'generator' });

// The model chooses only tokens that the form allows.
const choices = [' happy', ' sad', ' hungry'];
const { text } = await writer.generate('The cat was', { format: { choices } }).result;
console.log(`The cat was${text}`);

const schema = {
  type: 'object',
  properties: { name: { enum: ['Emil', 'Jona'] }, age: { type: 'integer', maximum: 99 } },
  required: ['name', 'age'],
};
const { parsed } = await writer.generate('A child: ', { format: { schema }, seed: 3 }).result;
console.log(parsed);
