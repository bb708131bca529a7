// The tasks with texts. The page loads this with the first of them, so that pictures need none of it.

import type { Store } from '../shared/base/store.ts';
import { mountMenuFolds } from '../shared/dom/menu-fold.ts';
import type { Jobs } from '../shared/jobs/jobs.ts';
import type { Receive } from '../shared/page/mount-page.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { allForms, mountSharedPart } from '../shared/share/share-view.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import { LearnSession } from './learn/learn-session.ts';
import { mountLearnView } from './learn/learn-view.ts';
import type { ClassifyState } from './state/state.ts';
import { exampleTexts } from './texts/examples.ts';
import { mountLabelsView } from './texts/labels-view.ts';
import { mountModelPanel } from './texts/model-panel.ts';
import { mountNamesView } from './texts/names-view.ts';
import { mountTextField } from './texts/text-field.ts';
import { TextSession } from './texts/text-session.ts';

export interface TextParts {
  readonly texts: TextSession;
  readonly learning: LearnSession;
}

/** What the page gives to its parts. */
export interface PartTools {
  readonly store: Store<ClassifyState>;
  readonly jobs: Jobs<ClassifyState>;
  readonly runtime: Runtime;
  readonly address: Address;
  readonly receive: Receive;
  readonly openUrl: (address: string) => void;
}

const formsFor = (count: number) => (count > 0 ? allForms : []);

function mountShares({ store, address }: PartTools): void {
  const loadText = () => import('./texts/share-text.ts');
  mountSharedPart(store, {
    host: 'text-share',
    load: async () => (await loadText()).shareLabels(store, address),
    forms: ({ text }) => formsFor(text.answer?.found.length ?? 0),
    fields: ['text', 'labelCount'],
  });
  mountSharedPart(store, {
    host: 'names-share',
    load: async () => (await loadText()).shareNames(store, address),
    forms: ({ names }) => formsFor(names.answer?.found.length ?? 0),
    fields: ['names', 'nameSettings'],
  });
  mountSharedPart(store, {
    host: 'learn-share',
    load: async () => (await import('./learn/share-learned.ts')).shareLearned(store, address),
    forms: ({ triedLabels }) => formsFor(triedLabels.length),
    fields: ['learned', 'triedLabels'],
    offered: ({ learned }) => learned !== null,
  });
}

/** What is typed goes into the address, and so does the model. */
function followAddress({ store, address }: PartTools): void {
  store.watch(['text', 'names'], () => address.changed());
  for (const task of ['text', 'names'] as const) {
    store.watch([task], (state) => {
      const source = state[task].loaded?.source;
      if (source !== undefined && state.task === task) {
        forgetContact(source);
      }
    });
  }
}

export function mountTextParts(tools: PartTools): TextParts {
  const { store, jobs, runtime, receive, openUrl } = tools;
  const texts = new TextSession(store, jobs, runtime);
  const learning = new LearnSession(store, jobs, runtime);
  mountMenuFolds();
  mountTextField(store, texts, 'text', exampleTexts.text);
  mountTextField(store, texts, 'names', exampleTexts.names);
  mountLabelsView(store, texts);
  mountNamesView(store, texts);
  mountModelPanel(store, texts, receive, openUrl);
  mountLearnView(store, learning);
  mountShares(tools);
  followAddress(tools);
  return { texts, learning };
}
