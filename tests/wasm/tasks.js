// What the tests run in Node and in a browser; `comparing.py` and `measuring.py` have the same in Python.

const TASKS = {
  /** For games with consecutive seeds, the number of decisions and a hash of all that the kernels write. */
  async digests(kernels, { record, seats, actions, first, games }) {
    const { states, scores, observation, mask, actions: legal } = kernels;
    let parts = [];
    const add = (array) => parts.push(array.slice());
    const results = [];
    for (let seed = first; seed < first + games; seed += 1) {
      parts = [];
      let decisions = 0;
      let random = BigInt(seed);
      states.values.set(fromBase64(record));
      kernels.call("new_game_at", states, 0, BigInt(seed));
      for (;;) {
        const number = kernels.call("legal_at", states, 0, legal);
        const winners = kernels.call("scores_at", states, 0, scores);
        random = BigInt.asUintN(64, random * 6364136223846793005n + 1442695040888963407n);
        kernels.call("determinize_at", states, 0, decisions % seats, random, decisions % 2, states, 1);
        add(states.values);
        add(scores.values);
        add(BigInt64Array.of(BigInt(winners), ...legal.values.subarray(0, number)));
        for (let seat = 0; seat < seats; seat += 1) {
          kernels.call("observe_at", states, 0, seat, observation, mask);
          add(observation.values);
          add(mask.values);
        }
        if (number === 0) break;
        const played = legal.values.slice(0, number);
        if (!played.includes(BigInt(decisions % actions))) {
          if (kernels.call("step_at", states, 0, decisions % actions)) throw new Error("an illegal action was played");
        }
        kernels.call("step_at", states, 0, Number(played[Number(random >> 33n) % number]));
        decisions += 1;
      }
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));
      results.push([decisions, Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")]);
    }
    return results;
  },

  /** What a bot chooses in positions, given as bytes in base64, and the time that this takes. */
  choices(kernels, { config, positions, bot, budget, rounds }) {
    const choose = (bytes) => kernels.choose(kernels.position(config, fromBase64(bytes)), bot, budget, 1n);
    return { choices: positions.map(choose), seconds: fastest(rounds, () => positions.forEach(choose)) };
  },

  /** What the class Position says about a game. */
  position(kernels, { config, fields, seed }) {
    const start = kernels.start(config, BigInt(seed), fields);
    const position = start.after(start.legal[0]);
    const { toPlay, decision, legal, standing, over } = position;
    const { mask, observation } = position.observe(toPlay);
    return {
      bytes: toBase64(position.bytes), view: toBase64(position.view(toPlay).bytes), before: toBase64(start.bytes),
      toPlay, decision, legal, standing, over, mask: [...mask], observation: [...observation],
      fields: position.fields, illegal: position.after(10_000),
    };
  },

  /** Seconds of random play in many games, with masks only and with observations. */
  play(kernels, { record, sizes: [games, actions, observation], steps, rounds }) {
    const bytes = fromBase64(record);
    const states = kernels.array(`|V${bytes.length}`, [games]);
    const words = kernels.array("<u8", [games]);
    const masks = kernels.array("|i1", [games, actions]);
    const observations = kernels.array("<f4", [games, observation]);
    for (let i = 0; i < games; i += 1) {
      states.values.set(bytes, i * bytes.length);
      kernels.call("new_game_at", states, i, BigInt(i));
    }
    return [0, games].map((observed) => {
      const play = (seed, number) => (
        kernels.call("play_all", states, BigInt(seed), number, words, masks, observations.first(observed)));
      play(0, 500);
      return fastest(rounds, (round) => play(round + 1, steps));
    });
  },
};

function fastest(rounds, run) {
  return Math.min(...Array.from({ length: rounds }, (_, round) => {
    const start = process.cpuUsage();
    run(round);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  }));
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const toJson = (value) => JSON.stringify(value, (_, part) => (typeof part === "bigint" ? Number(part) : part));
