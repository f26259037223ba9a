// The difference of two texts by lines: a list of [' ' or '+' or '-', line of the new text or of the old one].
// Lines are given as keys, which are equal if the lines are taken as equal.
//
// Lines that each text has once are matched first if they are in the same order (as in patience diff): a long
// insertion then does not pull lines apart that belong together. Between them Myers' algorithm finds the least
// edits. Its time grows with their square, so that after MAX_EDITS the best path so far is taken and the search
// restarts at its end.
const MAX_EDITS = 1000;

// Returns the lines of SPIR-V without the numbers of ids: an additional instruction changes all later numbers.
// Where several ids have one name, their numbers follow it: OpName %x_12 "x".
function withoutIds(lines) {
  const numbered = new Set();
  for (const line of lines) {
    const [, id, prefix, name] = line.match(/OpName %((\w+)_\d+) "(.*)"/) ?? [];
    if (id && name.replace(/\W/g, '_') === prefix) numbered.add(id);
  }
  return lines.map(line => line.trim().replace(/%(?:\d+\b|(\w+_)\d+\b)/g, (id, prefix) =>
    !prefix ? '%' : numbered.has(id.slice(1)) ? '%' + prefix : id));
}

function difference(before, after) {
  const numbers = new Map();
  const number = key => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  };
  const old = Int32Array.from(before, number), now = Int32Array.from(after, number);
  const list = [];
  let x = 0, y = 0;
  for (const [nextX, nextY] of [...anchors(old, now, numbers.size), [old.length, now.length]]) {
    between(old.subarray(x, nextX), now.subarray(y, nextY), (kind, line) =>
      list.push([kind, line + (kind === '-' ? x : y)]));
    if (nextY < now.length) list.push([' ', nextY]);
    x = nextX + 1;
    y = nextY + 1;
  }
  return list;
}

// Returns pairs of lines that both texts have once: the longest list of them that ascends in both.
function anchors(old, now, keys) {
  const once = lines => {
    const at = new Int32Array(keys).fill(-1);
    lines.forEach((key, line) => { at[key] = at[key] === -1 ? line : -2; });
    return at;
  };
  const [ofOld, ofNow] = [once(old), once(now)];
  const piles = []; // the last pair of the best list of each length
  old.forEach((key, x) => {
    const y = ofNow[key];
    if (ofOld[key] < 0 || y < 0) return;
    let low = 0, high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (piles[middle].y < y) low = middle + 1; else high = middle;
    }
    piles[low] = { x, y, before: piles[low - 1] };
  });
  const list = [];
  for (let pair = piles.at(-1); pair; pair = pair.before) list.push([pair.x, pair.y]);
  return list.reverse();
}

// Calls `put` with the difference of two parts.
function between(old, now, put) {
  let x = 0, y = 0;
  while (x < old.length || y < now.length) {
    const path = search(old.subarray(x), now.subarray(y));
    for (const kind of path) {
      put(kind, kind === '-' ? x : y);
      if (kind !== '+') x++;
      if (kind !== '-') y++;
    }
  }
}

// Returns the kinds of the lines up to the ends of both parts, or as far as MAX_EDITS lead.
function search(old, now) {
  const most = Math.min(old.length + now.length, MAX_EDITS);
  const middle = most + 1;
  const reach = new Int32Array(2 * middle + 1).fill(-1); // how far in the old part, by diagonal
  const history = [];
  reach[middle + 1] = 0;
  let best;
  for (let depth = 0; depth <= most; depth++) {
    history.push(reach.slice(middle - depth - 1, middle + depth + 2));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const at = middle + diagonal;
      const down = diagonal === -depth || (diagonal !== depth && reach[at - 1] < reach[at + 1]);
      let x = down ? reach[at + 1] : reach[at - 1] + 1;
      let y = x - diagonal;
      while (x < old.length && y < now.length && old[x] === now[y]) { x++; y++; }
      reach[at] = x;
      if (x === old.length && y === now.length) return walkBack(history, x, y);
      const inside = x <= old.length && y <= now.length;
      if (depth === most && inside && !(best && best.x + best.y >= x + y)) best = { x, y };
    }
  }
  return walkBack(history, best.x, best.y);
}

function walkBack(history, x, y) {
  const path = [];
  for (let depth = history.length - 1; depth >= 0; depth--) {
    const reach = history[depth];
    const diagonal = x - y, at = diagonal + depth + 1;
    const down = diagonal === -depth || (diagonal !== depth && reach[at - 1] < reach[at + 1]);
    const fromX = !depth ? 0 : down ? reach[at + 1] : reach[at - 1];
    const fromY = !depth ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY) { x--; y--; path.push(' '); }
    if (depth) {
      if (down) y--; else x--;
      path.push(down ? '+' : '-');
    }
  }
  return path.reverse();
}
