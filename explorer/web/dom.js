// Elements, how values are written, and the colours. The page's other scripts are in the same scope.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
document.body.className = data.kind;
for (const part of document.querySelectorAll('[data-of]')) if (!part.dataset.of.includes(data.kind)) part.remove();
const SVG = document.querySelector('svg').namespaceURI;

/** Makes an element. Texts are always text, never markup. `on…` attributes are listeners. */
const el = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

function filled(element, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const number = new Intl.NumberFormat('en');
const count = n => number.format(n);
const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

/** Three significant digits. */
const digits = n => (n >= 100 ? n.toFixed(0) : n.toPrecision(3));

function scaled(n, base, units) {
  let unit = 0;
  while (unit + 1 < units.length && n >= base * 0.9995) {
    n /= base;
    unit++;
  }
  return `${unit === 0 ? count(n) : digits(n)} ${units[unit]}`;
}

const bytesText = n => scaled(n, 1024, ['B', 'KiB', 'MiB', 'GiB']);

/** Shows a text next to the pointer or the focus while it is on `element`. */
function withTip(element, text) {
  const tip = byId('tip');
  const show = event => {
    tip.textContent = text;
    tip.hidden = false;
    const box = element.getBoundingClientRect();
    const x = event.clientX ?? box.left + box.width / 2, y = event.clientX ? event.clientY : box.top;
    tip.style.left = `${Math.min(Math.max(8, x + 12), innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.max(8, y - tip.offsetHeight - 10)}px`;
  };
  const hide = () => { tip.hidden = true; };
  element.addEventListener('pointermove', show);
  element.addEventListener('focus', show);
  element.addEventListener('pointerleave', hide);
  element.addEventListener('blur', hide);
  return element;
}

/** Lets Enter and Space do what a click does, for elements that are not buttons. */
function asButton(element, action, label) {
  element.setAttribute('role', 'button');
  element.setAttribute('tabindex', '0');
  if (label) element.setAttribute('aria-label', label);
  element.addEventListener('click', action);
  element.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    action(event);
  });
  return element;
}

/** A button that copies the text that `text` returns. */
function copyButton(text) {
  const button = el('button', { type: 'button', class: 'small' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not permitted';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return button;
}

const THEMES = { auto: '◐', light: '☀', dark: '☾' };
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** The chosen colours. Files may have no storage: the choice then lasts as long as the page. */
function keptTheme() {
  try { return localStorage.getItem('trellis-theme'); } catch { return null; }
}

function setTheme(name) {
  const theme = Object.hasOwn(THEMES, name) ? name : 'auto';
  const root = document.documentElement, button = byId('theme');
  root.dataset.theme = theme;
  root.classList.toggle('dark', theme === 'auto' ? systemIsDark.matches : theme === 'dark');
  button.textContent = THEMES[theme];
  button.title = `Colours: ${theme} (t)`;
  button.setAttribute('aria-label', button.title);
}

function nextTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
  setTheme(next);
  try { localStorage.setItem('trellis-theme', next); } catch { /* See above. */ }
}

setTheme(keptTheme());
systemIsDark.addEventListener('change', () => setTheme(document.documentElement.dataset.theme));
byId('theme').addEventListener('click', nextTheme);

/** Shows what keys do: pairs of the keys and a text. */
function showHelp(keys, ...notes) {
  const dialog = byId('help');
  if (dialog.open) return;
  dialog.replaceChildren(el('h2', { id: 'help-title' }, 'Keyboard'),
    el('dl', {}, keys.map(([key, text]) => el('div', {}, el('dt', {}, key.split('  ').map(one => [el('kbd', {}, one), ' '])), el('dd', {}, text)))),
    ...notes.filter(Boolean).map(note => el('p', { class: 'dim' }, note)),
    el('form', { method: 'dialog' }, el('button', { class: 'small' }, 'Close')));
  dialog.showModal();
}
