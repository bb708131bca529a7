// The entry of the search page.

import { Store } from '../shared/base/store.ts';
import { mountMenuFolds } from '../shared/dom/menu-fold.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountPage, type Receive } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { mountTabLine } from '../shared/tabs/tab-line.ts';
import { mountDocumentsPanel } from './panels/documents-panel.ts';
import { mountIndexPanel } from './panels/index-panel.ts';
import { mountModelPanel } from './panels/model-panel.ts';
import { mountSearchView, statusLine } from './search-view.ts';
import { Session } from './session/session.ts';
import { emptyState } from './state/state.ts';

const store = new Store(emptyState);
const session = new Session(store, runtimeFor(location.search));

const receive: Receive = (given) => session.run((actions) => actions.receive(given));

mountSearchView(store, session);
mountMenuFolds();
watchTexts('texts');
mountPage(store, receive, statusLine);
mountTabLine(
  store,
  'Another tab has this page open and saves its documents. What you add here is lost when you close or reload this tab, unless you close the other tab first.',
);
mountModelPanel(store, session);
mountDocumentsPanel(store, session);
mountIndexPanel(store, session);
await session.start(new URLSearchParams(location.search).get('url') ?? '');
await receiveHanded(store, receive);
