'use strict';
// Without it the page is complete: the script only sorts and filters.
for (const head of document.querySelectorAll('th button')) head.addEventListener('click', () => {
  const cell = head.parentElement, table = cell.closest('table'), body = table.tBodies[0];
  const up = cell.getAttribute('aria-sort') !== 'ascending';
  for (const other of cell.parentElement.children) other.removeAttribute('aria-sort');
  cell.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const rows = [...body.rows].map(row => [row.cells[cell.cellIndex], row]);
  rows.sort(([a], [b]) => {
    const order = a.dataset.v - b.dataset.v || a.textContent.localeCompare(b.textContent);
    return up ? order : -order;
  });
  body.append(...rows.map(([, row]) => row));
});
for (const filter of document.querySelectorAll('input[data-table]')) {
  const rows = document.getElementById(filter.dataset.table).tBodies[0].rows;
  const status = filter.closest('p').querySelector('[role=status]');
  filter.addEventListener('input', () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every(word => text.includes(word));
      shown += !row.hidden;
    }
    status.textContent = wanted.length ? shown + ' rows' : '';
  });
}
