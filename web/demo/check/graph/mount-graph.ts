// The graph of the selected ONNX file. The code for graphs is loaded with the first of them.

import type { OnnxGraph } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { CheckSession } from '../session/session.ts';
import { type CheckState, selectedFile } from '../session/state.ts';

const hasNodes = (graph: OnnxGraph | undefined): graph is OnnxGraph =>
  graph !== undefined && graph.nodes.length > 0;

export function mountGraph(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('graph', HTMLElement);
  let view: Promise<import('./graph-view.ts').GraphView> | undefined;
  const show = async (): Promise<void> => {
    view ??= import('./graph-view.ts').then(({ GraphView }) => new GraphView(session));
    const shown = await view;
    const { graph, tensors } = selectedFile(store.state)?.inspection ?? {};
    // Before its code is there, the field for names would lose what is typed.
    section.hidden = !hasNodes(graph);
    if (hasNodes(graph) && tensors !== undefined) {
      shown.show(graph, tensors);
    }
  };
  store.watch(['files', 'selected'], (state) => {
    if (!hasNodes(selectedFile(state)?.inspection?.graph)) {
      section.hidden = true;
    } else {
      show().catch((error: unknown) => {
        view = undefined;
        section.hidden = true;
        const title = 'Part of this page could not be loaded';
        store.update({ failure: { title, error } });
      });
    }
  });
}
