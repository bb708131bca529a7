// Where a table has no room for its columns, each row is a block (tables.css), and its cells tell the titles of their columns.

/** Labels the cells of `row` with the titles in `head`. */
export function labelCells(row: HTMLTableRowElement, head: HTMLTableRowElement): void {
  for (const [at, cell] of [...row.cells].entries()) {
    cell.dataset['label'] = head.cells[at]?.textContent ?? '';
  }
}
