// What the address of the classify page holds: the task, the drawing or the text, and the model. Pictures from files and from the
// camera are never in it, and neither are examples.

import { besideUrl, modelUrl } from '../shared/page-address/linked-model.ts';
import { urlInLink } from '../shared/page-address/open-linked.ts';
import { choice, type Parameters, text, textAsItIs } from '../shared/page-address/parameters.ts';
import { firstDigit } from './picture/built-in.ts';
import { codeOf, greysIn, maxCodeLength } from './picture/drawing-code.ts';
import { exampleOf } from './picture/names.ts';
import { addressesOf } from './picture/network-address.ts';
import { firstTexts, longestLinkText } from './state/first-texts.ts';
import type { ClassifyState } from './state/state.ts';
import { type Task, tasks } from './state/task.ts';

export interface ClassifyLink {
  readonly task: Task;
  /** The code of the drawing. Empty for the page's first digit. */
  readonly drawing: string;
  /** Empty for the page's first text. */
  readonly text: string;
  readonly url: string;
  /** The plan of a network that does not say how its layers follow one another. */
  readonly plan: string;
}

export const classifyParameters: Parameters<ClassifyLink> = {
  task: choice('task', tasks, 'picture'),
  drawing: text('drawing', maxCodeLength + 1),
  text: textAsItIs('text', longestLinkText),
  url: modelUrl,
  plan: besideUrl('plan'),
};

type Linked = Pick<ClassifyLink, 'task' | 'url' | 'plan'>;

const none = { drawing: '', text: '', url: '', plan: '' };

function pictureLink(
  { picture, network }: ClassifyState,
  { task, url, plan }: Linked,
): ClassifyLink {
  const isOwn = picture?.from === 'drawing' && picture.name !== exampleOf(firstDigit);
  return {
    ...none,
    task: 'picture',
    drawing: isOwn ? codeOf(greysIn(picture.pixels)) : '',
    ...(network === null ? task === 'picture' && { url, plan } : addressesOf(network.files)),
  };
}

const urlFor = (task: Task, linked: Linked): string => (linked.task === task ? linked.url : '');

/** `linked` is what the page's first address had: until a model is open, the address keeps it. */
export function linkOf(state: ClassifyState, linked: Linked): ClassifyLink {
  const { task } = state;
  if (task === 'picture') {
    return pictureLink(state, linked);
  }
  if (task === 'labels') {
    return { ...none, task };
  }
  const { typed, loaded } = state[task];
  const isLinked = typed !== firstTexts[task] && typed.length <= longestLinkText;
  return {
    ...none,
    task,
    text: isLinked ? typed : '',
    url: loaded === null ? urlFor(task, linked) : urlInLink(loaded.source),
  };
}
