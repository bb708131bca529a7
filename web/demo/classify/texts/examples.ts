// Texts to try, written for this page.

import type { TextTask } from '../state/task.ts';

export const exampleTexts: Readonly<Record<TextTask, readonly string[]>> = {
  text: [
    'Où sont mes lunettes ?',
    'Tengo un perro muy viejo.',
    'Wij gaan morgen naar zee.',
    'Gdzie jest najbliższa apteka?',
    'Kahvi on valmis.',
    'Bugün hava çok güzel.',
    'Det regner hele dagen.',
  ],
  names: [
    'Dr Amara Okafor opens her practice in Leeds on 12 January.',
    'The parcel for Jonas Weber is still in Rotterdam.',
    'Questions? Ask Priya at info@example.org.',
  ],
};
