// Elements, and how values are written.

const SVG = document.querySelector('svg').namespaceURI;

/** Makes an element. Texts are always text, never markup. `on…` attributes are listeners. */
function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
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

const timeText = us => (us >= 120e6 ? `${digits(us / 60e6)} min` : scaled(us, 1000, ['µs', 'ms', 's']));
const bytesText = n => scaled(n, 1024, ['B', 'KiB', 'MiB', 'GiB']);
const wordsText = n => bytesText(4 * n);
const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : '–');

const FORMAT = { time: timeText, bytes: bytesText, words: wordsText };

/** Shows a text next to the pointer or the focus while it is on `element`. */
function withTip(element, text) {
  const tip = document.getElementById('tip');
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

/** Says something to who does not see the page. */
function say(text) {
  document.getElementById('said').textContent = text;
}

function panel(title, note, ...content) {
  const head = el('header', {}, el('h2', {}, title), note ? el('span', { class: 'dim' }, note) : null);
  return el('section', { class: 'panel', 'aria-label': title }, head, content);
}

/** A button that copies a text. */
function copyButton(text) {
  const button = el('button', { type: 'button', class: 'small' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not permitted';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return button;
}
