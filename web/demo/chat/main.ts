// The entry of the chat page.

import { Store } from '../shared/base/store.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountPage, type Receive } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { mountTabLine } from '../shared/tabs/tab-line.ts';
import { mountChatAddress } from './chat-address.ts';
import { ConversationDatabase } from './history/conversation-database.ts';
import { History } from './history/history.ts';
import { mountHistoryView } from './history/history-view.ts';
import { mountContextView } from './panels/context-view.ts';
import { mountDraftView } from './panels/draft-view.ts';
import { mountFormView } from './panels/form-view.ts';
import { mountKeyboardRoom } from './panels/keyboard-room.ts';
import { mountModelPanel } from './panels/model-panel.ts';
import { mountOutcomeView } from './panels/outcome-view.ts';
import { mountSamplingView } from './panels/sampling-view.ts';
import { mountSystemView } from './panels/system-view.ts';
import { chatParameters, linkOf, packedIn } from './session/chat-link.ts';
import { PageSession } from './session/session.ts';
import { emptyState } from './state/state.ts';
import { mountTokenView } from './tokens/token-view.ts';
import { mountModeView } from './turns/mode-view.ts';
import { mountTurnsView } from './turns/turns-view.ts';

const store = new Store(emptyState);
const session = new PageSession(store, runtimeFor(location.search));

const receive: Receive = (given) => session.receive(given);

watchTexts('texts');
mountPage(store, receive);
mountTabLine(
  store,
  'Another tab has this conversation open. If both go on with it, this tab or the other keeps a copy, so nothing is lost.',
);
mountModeView(store, session);
const fill = mountDraftView(store, session);
mountSystemView(store, session);
mountFormView(store, session);
mountTurnsView(store, session);
mountOutcomeView(store, session);
mountContextView(store, session);
mountTokenView(store);
mountSamplingView(store, session);
mountModelPanel(store, session);
mountKeyboardRoom();

/** Shows the text of the link, the conversation of the last visit, or a first story. */
async function start(): Promise<void> {
  const linked = readLink(location.search, chatParameters);
  const packed = packedIn(location.hash);
  const history = new History(store, session, new ConversationDatabase());
  mountHistoryView(store, session, history);
  const handed = receiveHanded(store, receive);
  const [restored, , given] = await Promise.all([
    linked.prompt === '' && packed === null ? history.restore() : history.showTitles(),
    session.openLinked(linked.url),
    handed,
  ]);
  history.watch();
  if (packed !== null) {
    await session.showPacked(packed);
  } else if (!restored && !given) {
    session.showLinked(linked);
    fill(linked.prompt);
  }
  // A conversation of the last visit has an address of its own, so that Back leads to it and not to the first story.
  const shown = restored ? linkOf(store.state, linked.url) : linked;
  mountChatAddress(store, session, shown, fill).refine();
}

void start();
