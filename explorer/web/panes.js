// The sizes of the panes, which are the tracks of a grid: handles between them are moved, by keys too.

const LEAST = 80; // pixels of a pane

/** Moves the end of a pane's row or column by some pixels. */
function resizePane(pane, handle, by) {
  const isRow = handle.offsetWidth > handle.offsetHeight;
  const grid = pane.parentNode, style = getComputedStyle(grid), box = grid.getBoundingClientRect();
  const tracks = style[isRow ? 'gridTemplateRows' : 'gridTemplateColumns'].split(' ').map(parseFloat);
  const { left, top } = pane.getBoundingClientRect();
  // A pane begins where the tracks before it end.
  let index = 0;
  for (let end = tracks[0]; end < (isRow ? top - box.top : left - box.left) + 1 && index < tracks.length - 1; index++) end += tracks[index + 1] + 1;
  if (index === tracks.length - 1) return;
  const most = tracks[index] + tracks[index + 1] - LEAST;
  const size = Math.max(LEAST, Math.min(most, tracks[index] + by));
  tracks[index + 1] += tracks[index] - size;
  tracks[index] = size;
  // As parts of the whole: they keep their proportion in another window, or with another number of panes.
  const sum = tracks.reduce((a, b) => a + b);
  tracks.forEach((track, i) => grid.style.setProperty(`--${isRow ? 'row' : 'column'}${i}`, `${(4.5 * tracks.length * track) / sum}fr`));
}

for (const pane of document.querySelectorAll('#panes > section')) {
  const handle = el('div', { class: 'handle', role: 'separator', tabindex: '0', 'aria-label': 'Size of the pane', title: 'Move it; a double click sets all panes back' });
  const along = event => (handle.offsetWidth > handle.offsetHeight ? event.clientY : event.clientX);
  handle.addEventListener('pointerdown', event => {
    let from = along(event);
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = event => {
      resizePane(pane, handle, along(event) - from);
      from = along(event);
    };
  });
  for (const end of ['pointerup', 'pointercancel']) handle.addEventListener(end, () => { handle.onpointermove = null; });
  handle.addEventListener('dblclick', () => pane.parentNode.removeAttribute('style'));
  handle.addEventListener('keydown', event => {
    const by = { ArrowLeft: -24, ArrowRight: 24, ArrowUp: -24, ArrowDown: 24 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    resizePane(pane, handle, by);
  });
  pane.append(handle);
}
