// The links to the tasks of the page, and which of its parts are shown.

import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { PageSession } from './page-session.ts';
import type { ClassifyState } from './state/state.ts';
import { type Task, tasks, taskTitles } from './state/task.ts';

/** Where the first link of the page leads, and what it says. */
const skips: Readonly<Record<Task, readonly [target: string, text: string]>> = {
  picture: ['#examples', 'Skip to the pad'],
  text: ['#text-field', 'Skip to the text'],
  names: ['#names-field', 'Skip to the text'],
  labels: ['#learn-examples', 'Skip to the examples'],
};

function showSkip(task: Task): void {
  const skip = document.querySelector<HTMLAnchorElement>('a.skip');
  const [target, text] = skips[task];
  if (skip !== null) {
    skip.href = target;
    skip.textContent = text;
  }
}

/** A link that opens in another tab has no need of the page. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

export function mountTaskView(store: Store<ClassifyState>, session: PageSession): void {
  const title = byId('classify-title', HTMLElement);
  const parts = document.querySelectorAll<HTMLElement>('[data-task]');
  const links = tasks.map((task) => [task, byId(`to-${task}`, HTMLAnchorElement)] as const);
  for (const [task, link] of links) {
    link.addEventListener('click', (event) => {
      if (isPlain(event)) {
        event.preventDefault();
        void session.choose(task);
      }
    });
  }
  store.watch(['task'], ({ task }) => {
    title.textContent = taskTitles[task];
    showSkip(task);
    for (const part of parts) {
      part.hidden = part.dataset['task'] !== task;
    }
    for (const [name, link] of links) {
      if (name === task) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
    }
  });
}
