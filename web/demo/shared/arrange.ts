// Children in another order, without touching those that stay: focus and open folds stay with them.

export function arrangeNodes(parent: Element, nodes: readonly Element[]): void {
  const staying = new Set(nodes);
  for (const child of [...parent.children]) {
    if (!staying.has(child)) {
      child.remove();
    }
  }
  nodes.forEach((node, at) => {
    if (parent.children[at] !== node) {
      parent.insertBefore(node, parent.children[at] ?? null);
    }
  });
}
