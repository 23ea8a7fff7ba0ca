// State records in JavaScript. `layout_of` in building.py describes their layout.

const TYPES = {
  "|b1": Uint8Array, "|i1": Int8Array, "|u1": Uint8Array, "<i2": Int16Array, "<u2": Uint16Array, "<i4": Int32Array,
  "<u4": Uint32Array, "<i8": BigInt64Array, "<u8": BigUint64Array, "<f4": Float32Array, "<f8": Float64Array,
};

const product = (numbers) => numbers.reduce((a, b) => a * b, 1);
const sizeOf = (dtype) => TYPES[dtype]?.BYTES_PER_ELEMENT ?? Number(dtype.slice(2)); // "|V416" is a record

/** Return a number, a record or an array of them at an offset. */
function read(type, view, offset, [length, ...rest] = []) {
  if (length !== undefined) {
    const step = (type.size ?? sizeOf(type)) * product(rest);
    return Array.from({ length }, (_, i) => read(type, view, offset + i * step, rest));
  }
  if (typeof type === "string") return view[`get${TYPES[type].name.slice(0, -5)}`](offset, true);
  return Object.fromEntries(Object.entries(type.fields).map(
    ([name, [start, inner, ...shape]]) => [name, read(inner, view, offset + start, shape)],
  ));
}
