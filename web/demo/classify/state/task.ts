// The four tasks of the page. Works without a page.

export const tasks = ['picture', 'text', 'names', 'labels'] as const;

/** A picture is classified, a text gets labels, names are marked in a text, or labels are learned from examples. */
export type Task = (typeof tasks)[number];

/** The tasks that run a model of a text. */
export type TextTask = 'text' | 'names';

export const taskTitles: Readonly<Record<Task, string>> = {
  picture: 'Classify a picture',
  text: 'Classify a text',
  names: 'Find names in a text',
  labels: 'Learn labels from examples',
};
