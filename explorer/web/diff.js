// The difference of two texts by lines, as Myers' algorithm finds it: a list of
// [' ' or '+' or '-', line of the new text or of the old one].
// Texts that differ in more than MAX_EDITS lines are taken as replaced between their common ends.
const MAX_EDITS = 2000;

function difference(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const inner = edits(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const same = (from, to) => Array.from({ length: to - from }, (_, index) => [' ', from + index]);
  return [
    ...same(0, start),
    ...inner.map(([kind, line]) => [kind, line + start]),
    ...same(after.length - end, after.length),
  ];
}

function edits(before, after) {
  const all = (list, kind) => list.map((_, index) => [kind, index]);
  const replaced = () => [...all(before, '-'), ...all(after, '+')];
  if (!before.length || !after.length) return replaced();
  const most = Math.min(before.length + after.length, MAX_EDITS);
  const history = [];
  let reach = new Map([[1, 0]]);
  for (let depth = 0; depth <= most; depth++) {
    history.push(new Map(reach));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const down = diagonal === -depth ||
        (diagonal !== depth && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));
      let x = down ? reach.get(diagonal + 1) : reach.get(diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) { x++; y++; }
      reach.set(diagonal, x);
      if (x >= before.length && y >= after.length) return walkBack(history, before, after);
    }
  }
  return replaced();
}

function walkBack(history, before, after) {
  const list = [];
  let x = before.length, y = after.length;
  for (let depth = history.length - 1; depth >= 0; depth--) {
    const reach = history[depth];
    const diagonal = x - y;
    const down = diagonal === -depth ||
      (diagonal !== depth && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const fromX = depth ? reach.get(from) : 0;
    const fromY = depth ? fromX - from : 0;
    while (x > fromX && y > fromY) { x--; y--; list.push([' ', y]); }
    if (depth) {
      if (down) { y--; list.push(['+', y]); } else { x--; list.push(['-', x]); }
    }
  }
  return list.reverse();
}
