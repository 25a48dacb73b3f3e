/* Numbers as text. */

export function short(x, digits = 4) {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return (text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text.replace(/\.?0+e/, 'e')).replace('-', '−');
}

/* A time, to a thousandth of the stretch it lies in. */
export function timeText(t, span) {
  const decimals = span > 0 ? Math.min(Math.max(Math.ceil(4 - Math.log10(span)), 0), 9) : 3;
  return t.toFixed(decimals);
}

/* Round steps of an axis: the positions between `from` and `to`, about `count` of them. */
export function ticks(from, to, count) {
  const span = to - from;
  if (!(span > 0)) return [from];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++) found.push(k * step + 0); // no -0
  return found;
}
