// Texts of code: numbered lines, of which only those in sight are in the document.

const LINE = 20;

/** What is coloured in each language: comment, text in quotes, number, name with a prefix, and words. */
const LANGUAGE = {
  spirv: /(;.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\w.]*\b)|(%[\w.$-]+)|(\bOp[A-Z]\w*)/g,
  dxil: /(;.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\w.]*\b)|([%@!][\w.$-]+)|(\b(?:define|declare|call|br|ret|phi|switch|load|store|label|to|add|sub|mul|[ui]?div|[fi]cmp|select|extractvalue|getelementptr|alloca|void|float|double|half|i\d+)\b)/g,
  hlsl: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\w.]*\b)|(\bSV_\w+|^\s*#\w+)|(\b(?:if|else|for|while|do|return|switch|case|default|break|continue|discard|struct|cbuffer|static|const|in|out|inout|void|bool\d?|u?int\d?|u?int\dx\d|float\d?|float\dx\d|half\d?|groupshared|register|numthreads)\b)/g,
  tree: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\w.]*\b)|(%[\w.$-]+)|(\b(?:if|else|loop|while|block|break|continue|return|switch|case|default|unreachable|discard)\b)/g,
};
const TOKENS = ['', 't-comment', 't-text', 't-number', 't-name', 't-word'];

/** Fills an element with a line. Very long lines have no colours. */
function colour(element, line, rule) {
  if (!rule || line.length > 2000) {
    element.textContent = line;
    return;
  }
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(rule)) {
    if (match.index > end) parts.push(line.slice(end, match.index));
    const kind = match.findIndex((group, i) => i > 0 && group !== undefined);
    parts.push(el('span', { class: TOKENS[kind] }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(line.slice(end));
  element.replaceChildren(...parts);
}

/** A text with numbered lines, a search and a button that copies it. */
function codeView(text, language, cut, how) {
  const lines = text.replace(/\n$/, '').split('\n');
  const box = el('div', { class: 'code', tabindex: '0', role: 'region', 'aria-label': 'Text' });
  const place = el('span', { class: 'dim' }, plural(lines.length, 'line'));
  const find = el('input', { type: 'search', placeholder: 'Find in text', 'aria-label': 'Find in text', class: 'find', spellcheck: 'false' });
  let hits = [], hit = -1;
  const list = new VirtualList(box, LINE, (row, index) => {
    row.className = `codeline${hits.length && index === hits[hit] ? ' hit' : ''}`;
    const content = el('span', { class: 'text' });
    colour(content, lines[index], LANGUAGE[language]);
    row.replaceChildren(el('span', { class: 'gutter', 'aria-hidden': 'true' }, String(index + 1)), content);
  });
  const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  list.canvas.style.minWidth = `${Math.min(widest, 20000) + 9}ch`;
  const go = to => {
    hit = hits.length ? (to + hits.length) % hits.length : -1;
    place.textContent = find.value ? (hits.length ? `${count(hit + 1)} of ${plural(hits.length, 'line')}` : 'not found') : plural(lines.length, 'line');
    if (hit >= 0) box.scrollTop = Math.max(0, hits[hit] * LINE - box.clientHeight / 3);
    list.refresh();
  };
  find.addEventListener('input', () => {
    const wanted = find.value.toLowerCase();
    hits = [];
    if (wanted) lines.forEach((line, i) => { if (line.toLowerCase().includes(wanted)) hits.push(i); });
    go(0);
  });
  find.addEventListener('keydown', event => {
    if (event.key === 'Enter') go(hit + (event.shiftKey ? -1 : 1));
  });
  const note = cut ? el('span', { class: 'note' }, `${bytesText(cut)} are left out; `, el('code', {}, how), ' prints all') : null;
  list.setCount(lines.length);
  return el('div', { class: 'codeview' }, el('div', { class: 'codebar' }, find, place, note, copyButton(text)), box);
}
