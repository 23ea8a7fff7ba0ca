// A session of the static page in Node: node session.js SITE PAGE STORED, with calls as JSON, one on every line of
// the input. PAGE is the script of the page without its client, and STORED is what the browser has kept.

const fs = require("node:fs");

const [site, page, stored] = process.argv.slice(2);
const read = (path) => fs.readFileSync(`${site}/${path}`);
const storage = new Map();
const fetched = [];

Object.assign(globalThis, {
  document: { getElementById: () => null },
  location: { href: "http://host/index.html", hash: "" },
  history: { replaceState: (_, __, url) => Object.assign(location, { href: url, hash: "" }) },
  localStorage: {
    getItem: (key) => storage.get(key) ?? (stored || null),
    setItem: (key, value) => storage.set(key, value),
  },
  addEventListener: () => {},
  fetch: async (path) => {
    fetched.push(path);
    return new Response(read(path));
  },
  importScripts: (path) => (0, eval)(read(path).toString()),
  Worker: class {
    constructor(path) {
      globalThis.postMessage = (data) => setImmediate(() => this.onmessage({ data: structuredClone(data) }));
      (0, eval)(read(path).toString());
      this.receive = globalThis.onmessage;
    }

    postMessage(data) {
      setImmediate(() => this.receive({ data: structuredClone(data) }));
    }
  },
});

(0, eval)(`${fs.readFileSync(page)}\nglobalThis.source = source;`);
const { source } = globalThis;

const CALLS = {
  /** The state when no bot is to play. */
  async settled() {
    for (;;) {
      const state = await source.state();
      if (state.over || state.failure || state.isShown || state.moves.at(-1).position.legal.length) return state;
      await new Promise((resolve) => { setTimeout(resolve, 1); });
    }
  },

  /** Play random legal actions of the person, at most `number`. */
  async playOn(number = Infinity) {
    for (let played = 0; played < number; played += 1) {
      const { legal } = (await CALLS.settled()).moves.at(-1).position;
      if (!legal.length) break;
      await source.act(legal[(7 * played) % legal.length]);
    }
    return CALLS.settled();
  },

  /** Play the first legal action of the person to whom the page belongs now, while it is their turn. */
  async playAs() {
    for (;;) {
      const [action] = (await source.state()).moves.at(-1).position.legal;
      if (action === undefined) return null;
      await source.act(action);
    }
  },

  playOnFrom: (index, players) => source.playOn(index, players),

  fetched: () => fetched,
  stored: () => [...storage.values()][0] ?? null,
  openAddress: (hash) => {
    location.hash = hash;
    return source.load();
  },
};

const asNumber = (_, part) => (typeof part === "bigint" ? `${part}` : part);

async function main() {
  for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const [name, ...given] = JSON.parse(line);
    try {
      console.log(JSON.stringify({ result: await (CALLS[name] ?? source[name])(...given) ?? null }, asNumber));
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }));
    }
  }
}

main();
