/* Columns of numbers as the report's data hold them: {"f32": BASE64} and the like, "z" for a zlib stream, or a plain array.
 * Decoded when first asked for, and once: a page with 20 MB of them shows its first picture before it has read them all. */

const types = { f64: Float64Array, f32: Float32Array, i32: Int32Array, i8: Int8Array };

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function decode(raw) {
  if (Array.isArray(raw)) return Float64Array.from(raw, (x) => (x === null ? NaN : Number(x)));
  for (const [name, Type] of Object.entries(types)) {
    const packed = raw[name + 'z'];
    const plain = raw[name];
    if (typeof packed !== 'string' && typeof plain !== 'string') continue;
    const bytes = packed !== undefined ? await inflated(bytesOf(packed)) : bytesOf(plain);
    if (bytes.byteLength % Type.BYTES_PER_ELEMENT) throw new Error('a column is cut off');
    return new Type(bytes.buffer, 0, bytes.byteLength / Type.BYTES_PER_ELEMENT);
  }
  throw new Error('a column is of an unknown type');
}

export class Column {
  #raw;
  #promise = null;

  constructor(raw) {
    this.#raw = raw;
    this.values = null; // once loaded
  }

  load() {
    if (!this.#promise) {
      this.#promise = decode(this.#raw).then((values) => {
        this.values = values;
        return values;
      });
      this.#raw = null;
    }
    return this.#promise;
  }
}

export function columnOf(raw) {
  return raw !== undefined && raw !== null && typeof raw === 'object' ? new Column(raw) : null;
}
