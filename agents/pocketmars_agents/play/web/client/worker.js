"use strict";
// Runs the kernels for `static.js`, so that the page stays responsive. A message is `[id, name, arguments]`
// and calls a function of CALLS; the reply is `[id, result, error]`. Positions travel as the bytes of state records.

const games = new Map();
const networks = new Map();

/** Return what `make` promises; it is called again only if it failed. */
function once(made, key, make) {
  if (!made.has(key)) made.set(key, make().catch((error) => { made.delete(key); throw error; }));
  return made.get(key);
}

const files = new Map(typeof FILES === "undefined" ? [] : Object.entries(FILES)); // in base64, if the page is one file

async function bytesOf(path) {
  const response = await fetch(files.has(path) ? `data:;base64,${files.get(path)}` : path);
  if (!response.ok) throw new Error(`${path} cannot be loaded (status ${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
}

async function load(game) {
  const bytes = bytesOf(`${game}/${game}.wasm`);
  if (!globalThis.pocketmars?.[game]) importScripts(`${game}/${game}.js`);
  return globalThis.pocketmars[game](await bytes);
}

/** Return a bot's name for `kernels.choose` and its budget; a name is like "planner:8", "puct:400" or "puct:2s". */
function parsed(name) {
  const [kind, amount] = name.split(":");
  if (["random", "greedy", "planner"].includes(kind)) return [kind, amount ? { determinizations: Number(amount) } : {}];
  if (kind !== "ismcts" && kind !== "puct") return ["policy", { network: kind }];
  if (amount?.endsWith("s")) return [kind, { seconds: Number.parseFloat(amount) }];
  return [kind, amount ? { simulations: Number(amount) } : {}];
}

/** Return the names of the networks that a bot needs. */
function networksOf(kernels, config, bot) {
  const [kind, { network }] = parsed(bot);
  if (kind === "policy") return [network];
  return kind === "puct" ? [...new Set(kernels.tables.networks[config])] : [];
}

async function loadNetworks(kernels, game, names) {
  for (const name of names) {
    const path = `${game}/${name}.network`;
    await once(networks, path, async () => kernels.addNetwork(name, (await bytesOf(path)).buffer));
  }
}

/** A position that an action has reached and, if it ended a round, the position before the table was cleared. */
function reached(position, before = null, action = null) {
  const { kernels, bytes, toPlay, decision, over } = position;
  const hasEnded = before && kernels.exports.to_end_of_round && (over || round(position) !== round(before));
  const end = hasEnded ? before.changed("to_end_of_round", action).bytes : null;
  return { bytes, toPlay, decision, over, end };
}

const round = (position) => position.field("round_number");

/** What a seat sees of a position, and what `positionFrom` needs in addition; `observed` is a part of observations. */
function seen(position, seat, observed) {
  const view = position.view(seat), { scores, winners } = (position.over ? position : view).standing;
  const extra = { seat, scores, legal: position.toPlay === seat ? view.legal : [] };
  if (position.over) extra.winners = winners;
  if (observed) extra.observed = [...view.observe(seat).observation.slice(observed.first, observed.last)];
  return [view.bytes, extra];
}

/** Random positions that the seat cannot distinguish from a position. */
function worlds(position, seat, number) {
  const view = position.view(seat);
  return Array.from({ length: number }, (_, seed) => view.determinization(seat, BigInt(seed)));
}

const CALLS = {
  load: () => null,

  /** Take a file from the page, which is a single file. */
  keep(_, { path, text }) {
    files.set(path, text);
  },

  /** The positions of a game: the first one, and those after each of the actions. */
  play(kernels, { config, seed, fields, actions }) {
    let position = kernels.start(config, BigInt(seed), fields);
    const positions = [reached(position)];
    for (const action of actions) {
      const next = position.after(action);
      if (!next) throw new Error(`move ${positions.length} of this game, ${action}, is illegal`);
      positions.push(reached(next, position, action));
      position = next;
    }
    return positions;
  },

  after(kernels, { config, bytes, action }) {
    const position = kernels.position(config, bytes), next = position.after(action);
    return next && reached(next, position, action);
  },

  views(kernels, { config, records, seat, observed }) {
    return records.map((bytes) => bytes && seen(kernels.position(config, bytes), seat, observed));
  },

  effects(kernels, { config, bytes, seat, number, observed }) {
    const position = kernels.position(config, bytes);
    const samples = worlds(position, seat, number);
    return position.view(seat).legal.map(
      (action) => [action, samples.map((world) => seen(world.after(action), seat, observed))]);
  },

  beliefs(kernels, { config, bytes, seat, number }) {
    return worlds(kernels.position(config, bytes), seat, number).map((world) => [world.bytes, { seat, scores: world.standing.scores }]);
  },

  networks: (kernels, { config, bot }) => networksOf(kernels, config, bot).filter((name) => !kernels.networks?.[name]),

  /** The network that plays a configuration, if there is one. */
  policy: (kernels, { config }) => kernels.tables.networks[config][0] ?? null,

  async choose(kernels, { game, config, bytes, bot, seed }) {
    await loadNetworks(kernels, game, networksOf(kernels, config, bot));
    return kernels.choose(kernels.position(config, bytes), ...parsed(bot), BigInt(seed));
  },

  /**
   * The chances to win with an action and with the best one. Searches evaluate each of them with the full budget,
   * because a search for the best action rarely visits others.
   */
  async judge(kernels, { game, config, bytes, bot, action, seed }) {
    await loadNetworks(kernels, game, networksOf(kernels, config, bot));
    const position = kernels.position(config, bytes), [kind, budget] = parsed(bot);
    const choose = (more) => kernels.choose(position, kind, { ...budget, ...more }, BigInt(seed));
    const { actions, action: first } = choose({});
    if (actions.length === 1) return null;
    const valueOf = (one) => Math.min(Math.max(choose({ action: one }).values[actions.indexOf(one)], 0), 1);
    const value = valueOf(action), best = valueOf(first);
    return { best: best > value ? first : action, best_value: Math.max(best, value), value };
  },
};

globalThis.onmessage = async ({ data: [id, name, call] }) => {
  try {
    postMessage([id, await CALLS[name](await once(games, call.game, () => load(call.game)), call)]);
  } catch (error) {
    postMessage([id, null, error.message]);
  }
};
