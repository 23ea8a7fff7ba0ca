// The kernels and positions of one game. `building.py` writes the constants in upper case that are not defined here.

const PAGE = 65536;
const ALIGNMENT = 16;

/** A contiguous array in the memory of the kernels. */
class KernelArray {
  constructor(memory, dtype, shape, pointer) {
    Object.assign(this, { memory, dtype, shape, pointer });
  }

  /** The entries as a typed array, or the bytes of records; invalid after the next allocation. */
  get values() {
    const [type, unit] = TYPES[this.dtype] ? [TYPES[this.dtype], 1] : [Uint8Array, sizeOf(this.dtype)];
    return new type(this.memory.buffer, this.pointer, unit * product(this.shape));
  }

  /** The first entries or rows. */
  first(length) {
    return new KernelArray(this.memory, this.dtype, [length, ...this.shape.slice(1)], this.pointer);
  }
}

/** The kernels of the game; arguments of an entry point are numbers, arrays, and objects or lists of them. */
class Kernels {
  constructor(exports) {
    this.exports = exports;
    this.end = exports.__heap_base.value;
    this.result = this.array("<u8", [2]);
    this.tables = this.made(TABLES, Uint8Array.from(atob(CONTENT), (char) => char.charCodeAt(0)));
    this.states = this.array(`|V${STATE.size}`, [2]);
    this.actions = this.array("<i8", [NUM_ACTIONS]);
    this.scores = this.array("<i8", [MAX_SEATS]);
    this.observation = this.array("<f4", [OBSERVATION_SIZE]);
    this.mask = this.array("|i1", [NUM_ACTIONS]);
  }

  /** Return a new array of zeros, which is never freed. */
  array(dtype, shape) {
    const { memory } = this.exports;
    const pointer = Math.ceil(this.end / ALIGNMENT) * ALIGNMENT;
    this.end = pointer + sizeOf(dtype) * product(shape);
    const missing = this.end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return new KernelArray(memory, dtype, shape, pointer);
  }

  /** Return new arrays and plain data as described by `described` in building.py. */
  made(description, content) {
    if (typeof description !== "object" || description === null) return description;
    if (description.dtype) {
      const array = this.array(description.dtype, description.shape);
      fill(array, description, content);
      return array;
    }
    if (Array.isArray(description)) return description.map((part) => this.made(part, content));
    return Object.fromEntries(Object.entries(description).map(([key, part]) => [key, this.made(part, content)]));
  }

  /** Call an entry point. 64-bit unsigned numbers, such as seeds, are BigInts. */
  call(name, ...values) {
    const flat = values.flatMap(flattened);
    const { pointer } = this.result;
    const entryPoint = this.exports[name];
    if (entryPoint.length !== flat.length + 2) throw new TypeError(`${name} needs ${entryPoint.length - 2} numbers`);
    if (entryPoint(pointer, pointer + 8, ...flat)) throw new Error(`${name} failed`);
    const [word] = this.result.values;
    if (RESULTS[name] === "bool") return (word & 1n) === 1n;
    return RESULTS[name] === "int64" ? Number(BigInt.asIntN(64, word)) : word;
  }

  /** Start a game with a configuration from `configs`; `fields` replaces fields of its record. */
  start(config, seed, fields = {}) {
    const position = new Position(this, config, this.tables.configs[config].record.values.slice());
    write(STATE, new DataView(position.bytes.buffer), 0, fields);
    return position.changed("new_game_at", 0, seed);
  }

  /** Return the position with the bytes of a state record, such as those that a server sends to a seat. */
  position(config, bytes) {
    if (bytes.length !== STATE.size) throw new RangeError(`a position has ${STATE.size} bytes, got ${bytes.length}`);
    return new Position(this, config, Uint8Array.from(bytes));
  }
}

/** A position, which never changes. `config` names the configuration whose weights and networks bots use. */
class Position {
  constructor(kernels, config, bytes) {
    Object.assign(this, { kernels, config, bytes });
  }

  /** All fields of the state record, by name; 64-bit integers are BigInts. */
  get fields() {
    return read(STATE, new DataView(this.bytes.buffer), 0);
  }

  /** The value of one field without inner records. */
  field(name) {
    const [offset, type, ...shape] = STATE.fields[name];
    return read(type, new DataView(this.bytes.buffer), offset, shape);
  }

  /** The seat to play, or null when the game is over. */
  get toPlay() {
    const seat = this.field("to_play");
    return seat < 0 ? null : seat;
  }

  /** The number of the decision, or null when the game is over. */
  get decision() {
    const number = this.field("decision");
    return number < 0 ? null : number;
  }

  get over() {
    return this.field("over") !== 0;
  }

  /** The numbers of the legal actions, ascending. */
  get legal() {
    const number = this.kernels.call("legal_at", this.inMemory(), 0, this.kernels.actions);
    return Array.from(this.kernels.actions.values.subarray(0, number), Number);
  }

  /** The position after an action, or null if the action is illegal. */
  after(action) {
    return this.changed("step_at", 0, action);
  }

  /** The scores and the winning seats, as if the game ended now. */
  get standing() {
    const { kernels } = this;
    const winners = kernels.call("scores_at", this.inMemory(), 0, kernels.scores);
    const { seats } = kernels.tables.configs[this.config];
    const scores = Array.from(kernels.scores.values.subarray(0, seats), Number);
    return { scores, winners: scores.flatMap((_, seat) => (winners >> seat) & 1 ? [seat] : []) };
  }

  /** The observation and the action mask of a seat. */
  observe(seat) {
    const { observation, mask } = this.kernels;
    this.kernels.call("observe_at", this.inMemory(), 0, seat, observation, mask);
    return { observation: observation.values.slice(), mask: mask.values.slice() };
  }

  /** What a seat knows, as a position in which everything else is chosen without looking. */
  view(seat) {
    return this.determinization(seat, 0n, false);
  }

  /** A random position that the seat cannot distinguish from this one. */
  determinization(seat, seed, isRandom = true) {
    const { states, exports } = this.kernels;
    this.kernels.call("determinize_at", this.inMemory(), 0, seat, seed, isRandom, states, 1);
    return new Position(this.kernels, this.config, states.values.slice(STATE.size));
  }

  /** Copy the record to the first entry of `states`, and return this array. */
  inMemory() {
    this.kernels.states.values.set(this.bytes);
    return this.kernels.states;
  }

  /** The position after a call that changes it, or null if the call returns false. */
  changed(entryPoint, ...values) {
    if (this.kernels.call(entryPoint, this.inMemory(), ...values) === false) return null;
    return new Position(this.kernels, this.config, this.kernels.states.values.slice(0, STATE.size));
  }
}

/** Return the numbers that an argument of an entry point consists of. */
function flattened(value) {
  if (value instanceof KernelArray) return [value.pointer, ...value.shape];
  return typeof value === "object" ? Object.values(value).flatMap(flattened) : [value];
}

/** Set arrays to their content in a file. */
function fill(arrays, description, content) {
  if (!(arrays instanceof KernelArray)) {
    if (typeof arrays === "object") Object.keys(arrays).forEach((key) => fill(arrays[key], description[key], content));
    return;
  }
  const { dtype, shape, at, is_halved: isHalved } = description;
  const size = product(shape);
  const bytes = new Uint8Array(arrays.memory.buffer, arrays.pointer, size * sizeOf(dtype));
  if (at === undefined) {
    bytes.fill(0);
  } else if (isHalved) { // the upper halves of float32
    const target = new Uint16Array(bytes.buffer, bytes.byteOffset, 2 * size);
    const halves = new Uint16Array(content.slice(at, at + 2 * size).buffer);
    halves.forEach((half, i) => { target[2 * i + 1] = half; });
  } else {
    bytes.set(content.subarray(at, at + bytes.length));
  }
}

/** Replace the given fields and entries of a record. */
function write(type, view, offset, value, [length, ...rest] = []) {
  if (length !== undefined) {
    const step = (type.size ?? sizeOf(type)) * product(rest);
    Object.entries(value).forEach(([i, entry]) => write(type, view, offset + i * step, entry, rest));
  } else if (typeof type === "string") {
    view[`set${TYPES[type].name.slice(0, -5)}`](offset, value, true);
  } else {
    for (const [name, entry] of Object.entries(value)) {
      if (!type.fields[name]) throw new RangeError(`there is no field ${name}`);
      const [start, inner, ...shape] = type.fields[name];
      write(inner, view, offset + start, entry, shape);
    }
  }
}

/** Return the kernels in a module, given as bytes. */
async function load(bytes) {
  const env = new Proxy({}, { get: (_, name) => Math[name] ?? Math[name.replace(/f$/, "")] });
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  return new Kernels(instance.exports);
}
