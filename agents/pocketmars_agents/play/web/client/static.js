"use strict";
// The source of a game without a server: a session in this page, whose kernels run in `worker.js`.

const source = (() => {
  const SAVED = `pocketmars: ${Object.keys(GAMES)}`; // pages in files share what the browser keeps
  const HUMAN = "human";
  const FIRST_BOT = "planner";
  const WATCHED = ["ismcts:400", "planner"];
  const BOTS = ["random", "greedy", "planner", "planner:32", "ismcts:100", "ismcts:400", "ismcts:1600", "puct:100", "puct:400", "puct:1600"];
  const SAMPLES = 4;
  const ANALYST = "puct:400";
  const BOT_NAME = /^[\w:.]{1,30}$/;
  const CHOSEN_NAME = /^[\p{L}\p{N}][\p{L}\p{N} .'_-]{0,19}$/u;
  const UNSAVED = "this browser does not keep it";

  // --- files and the worker ---------------------------------------------------------------------------

  const embedded = (id) => document.getElementById(id)?.textContent;
  const texts = JSON.parse(embedded("files") ?? "null");
  const tablesOf = {}; // by game
  const calls = new Map(); // the calls without a reply
  let worker = null, calling = 0;

  const textOf = async (path) => texts?.[path] ?? (await fetch(path)).text();

  async function tablesFor(name) {
    if (!tablesOf[name]) {
      call("load", { game: name }).catch(() => {}); // at the same time; later calls have the same error
      tablesOf[name] = JSON.parse(await textOf(`${name}/tables.json`));
    }
    return tablesOf[name];
  }

  function startWorker() {
    const text = embedded("worker");
    worker = new Worker(text ? URL.createObjectURL(new Blob([text], { type: "text/javascript" })) : "worker.js");
    worker.onmessage = ({ data: [id, result, error] }) => {
      const { resolve, reject } = calls.get(id);
      calls.delete(id);
      if (error) reject(new Error(error));
      else resolve(result);
    };
    worker.onerror = ({ message }) => {
      calls.forEach(({ reject }) => reject(new Error(message ?? "the script of the bots cannot be loaded")));
      calls.clear();
    };
  }

  /** Call a function of the worker. */
  function call(name, { game: of, config }, values) {
    if (!worker) startWorker();
    calling += 1;
    worker.postMessage([calling, name, { game: of, config, observed: tablesOf[of]?.observed, ...values }]);
    return new Promise((resolve, reject) => calls.set(calling, { resolve, reject }));
  }

  /** Give the worker a network that the page contains, below its scripts. */
  async function handOver(path) {
    if (document.readyState === "loading") await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));
    await call("keep", game, { path, text: embedded(path) });
  }

  // --- games as data ----------------------------------------------------------------------------------
  // A game is { game, settings, seats, seed, actions, names }: the settings as in Python, for each seat HUMAN or a bot,
  // and the names that people have chosen. `config` and `fields` are what `kernels.start` needs.

  /** Return a start with the given values; a value that does not fit the values before it is replaced. */
  function startWith({ names, starts, default: usual }, values) {
    return names.reduce((fitting, name, i) => {
      const having = (value) => fitting.filter(([settings]) => settings[i] === value);
      return [values[name], usual[i], fitting[0][0][i]].map(having).find((found) => found.length);
    }, starts)[0];
  }

  /** Return the values of a setting that fit the values before it. */
  function choicesOf({ starts }, settings, i) {
    const fitting = starts.filter(([values]) => values.slice(0, i).every((value, j) => value === settings[j]));
    return [...new Set(fitting.map(([values]) => values[i]))];
  }

  const numberOfSeats = (tables, [, config]) => tables.configs[config].players;
  const seatsOf = (values, players) =>
    range(players).map((seat) => values[`seat_${seat}`] ?? (seat === 0 ? HUMAN : values.bot ?? FIRST_BOT));
  const randomSeed = () => String(crypto.getRandomValues(new BigUint64Array(1))[0]);

  function newData(tables, values, seed = randomSeed()) {
    const start = startWith(tables, values);
    const settings = Object.fromEntries(tables.names.map((name, i) => [name, start[0][i]]));
    return { game: tables.game, settings, seats: seatsOf(values, numberOfSeats(tables, start)), seed, actions: [], names: {} };
  }

  /** Check a game from outside; return it with the configuration and the fields of its record. */
  async function opened(data) {
    if (!Object.hasOwn(GAMES, data.game)) throw new Error("this page does not have the game in the link");
    const tables = await tablesFor(data.game);
    const start = startWith(tables, data.settings);
    const isKnown = tables.names.every((name, i) => start[0][i] === data.settings[name]);
    const isComplete = data.seats.length === numberOfSeats(tables, start) && data.seats.every((one) => BOT_NAME.test(one)) &&
      /^\d{1,20}$/.test(data.seed) && data.actions.every(Number.isInteger) && Object.values(data.names).every((one) => CHOSEN_NAME.test(one));
    if (!isKnown || !isComplete) throw new Error("the link does not contain a game of this page");
    return { ...data, config: start[1], fields: start[2] };
  }

  const asData = ({ game: name, settings, seats, seed, actions, names }) => ({ game: name, settings, seats, seed, actions, names });

  async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  }

  async function toText(data) {
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(data)));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  async function fromText(text) {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  }

  // --- the session ------------------------------------------------------------------------------------

  let game = null;
  let positions = []; // { bytes, toPlay, decision, over, move: what led to it, moves: what each seat sees of the move }
  let viewer = 0;
  let isShown = false; // whether the game is from a link, and nobody has played on
  let notice = "", trouble = "", failure = "";
  let playing = null; // the loop in which bots play; another one ends it

  const current = () => positions.at(-1);
  const people = () => game.seats.flatMap((player, seat) => player === HUMAN ? [seat] : []);
  const isOpen = () => !people().length || current().over; // whether the page may show any seat's view
  const isHumanTurn = () => game.seats[current().toPlay] === HUMAN;
  const changed = () => self.onChange();
  const reached = (position, move) => ({ ...position, move, moves: {} });

  async function open(data, shown = false) {
    const next = await opened(data), { actions } = next;
    const found = await call("play", next, { seed: next.seed, fields: next.fields, actions });
    game = next;
    positions = found.map((position, i) => reached(position, i ? { ...moveFrom(found[i - 1]), action: actions[i - 1] } : null));
    self.tables = tablesOf[game.game];
    viewer = people().includes(current().toPlay) ? current().toPlay : people()[0] ?? 0;
    isShown = shown;
    playing = null;
    failure = "";
    changed();
    if (!isShown) goOn();
  }

  const moveFrom = ({ toPlay, decision }) => ({ seat: toPlay, decision });

  async function play(action, choice = null) {
    const before = current();
    const next = await call("after", game, { bytes: before.bytes, action });
    if (before !== current()) return; // another action or an undo came first
    if (!next) throw new Error("you cannot do that");
    positions.push(reached(next, { ...moveFrom(before), action, choice }));
    game.actions.push(action);
    keep();
    changed();
  }

  /** Let the bots play until it is a person's turn. */
  async function goOn() {
    const loop = {};
    playing = loop;
    const isEnded = () => playing !== loop || current().over || isHumanTurn();
    try {
      while (!isEnded()) {
        const before = current(), bot = game.seats[before.toPlay];
        const choice = await chosen(before, bot, game.actions.length);
        if (playing === loop && before === current()) await play(choice.action, choice);
      }
    } catch (error) {
      if (playing !== loop) return;
      failure = error.message;
      changed();
    }
  }

  /** Drop the moves after a position, and play on. */
  async function cut(index) {
    positions = positions.slice(0, index + 1);
    game = { ...game, actions: game.actions.slice(0, index) };
    failure = "";
    isShown = false;
    keep();
    changed();
    goOn();
  }

  /** Return a bot's choice at a position with the given number of moves before it. */
  async function chosen({ bytes }, bot, number) {
    return withNetworks(bot, async () => ({ bot, ...await call("choose", game, { bytes, bot, seed: mixed(number) }) }));
  }

  /** Make a call in which a bot's networks are loaded, with a notice if they are not loaded yet. */
  async function withNetworks(bot, make) {
    const missing = await call("networks", game, { bot });
    if (missing.length) tell(`Loading ${missing.join(" and ")} for ${bot} …`);
    try {
      if (texts) for (const name of missing) await handOver(`${game.game}/${name}.network`);
      return await make();
    } finally {
      if (missing.length) tell("");
    }
  }

  function tell(words) {
    notice = words;
    changed();
  }

  /** Return a seed for a bot, with the finalizer of splitmix64, so that a game has the same choices again. */
  function mixed(number) {
    let word = BigInt.asUintN(64, BigInt(game.seed) + BigInt(number + 1) * 0x9e3779b97f4a7c15n);
    word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
    word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
    return String(word ^ (word >> 31n));
  }

  function keep() {
    try {
      localStorage.setItem(SAVED, JSON.stringify(asData(game)));
      trouble = "";
    } catch {
      trouble = UNSAVED;
    }
    if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
  }

  // --- views --------------------------------------------------------------------------------------------

  /** Return what a seat sees of all moves. */
  async function movesFor(seat) {
    const shown = [...positions], { tables } = self;
    const missing = shown.filter(({ moves }) => !moves[seat]);
    const records = missing.flatMap(({ bytes, end }) => [bytes, end]);
    const found = records.length ? await call("views", game, { records, seat }) : [];
    const views = found.map((one) => one && positionFrom(tables, ...one));
    if (game.seats[seat] !== HUMAN) views.forEach((view) => { if (view) view.legal = []; });
    missing.forEach(({ move, moves }, i) => {
      moves[seat] ??= { ...seen(tables, move, seat), position: views[2 * i], end: views[2 * i + 1] };
    });
    return shown.map(({ moves }) => moves[seat]);
  }

  /** Return what a seat sees of the choice that led to a position. */
  function seen(tables, move, viewpoint) {
    if (!move) return { seat: null, decision: null, action: null };
    const { name, hidden } = tables.decisions[move.decision];
    return { seat: move.seat, decision: name, action: hidden && move.seat !== viewpoint ? null : move.action };
  }

  function labels() {
    const { seats } = self.tables.configs[game.config];
    return range(seats).map((seat) => {
      const player = game.seats[seat];
      if (player === undefined) return "Devious Automatics";
      if (seat === viewer && player === HUMAN) return "You";
      if (game.names[seat]) return game.names[seat];
      if (player === HUMAN) return `Player ${seat + 1}`;
      return game.seats.filter((other) => other === player).length > 1 ? `${player} ${seat + 1}` : player;
    });
  }

  /** Whether this is the guided game, with its settings, its seed and one person. */
  function isGuided() {
    const { guide } = self.tables;
    const isSame = ([name, value]) => game.settings[name] === value;
    return Boolean(guide) && game.seed === guide.seed && people().length === 1 && Object.entries(guide.settings).every(isSame);
  }

  const ownDecisions = () => positions.slice(0, -1).flatMap(({ toPlay }, i) => toPlay === viewer ? [i] : []);
  const canUndo = () => people().length === 1 && ownDecisions().length > 0;

  /** Throw an error if the page may not show what a seat knows, or what is best for it. */
  function checkOpen(seat) {
    if (!isOpen() && (seat !== viewer || people().length > 1)) throw new Error("this is shown after the game");
  }

  const self = {
    tables: null,
    onChange: () => {},

    /** Open the game in the page's address, or the game that was kept, or a new one. */
    async load() {
      const openAddress = async () => {
        if (location.hash.length > 1) await self.openLink(location.hash.slice(1)).catch((error) => tell(error.message));
      };
      addEventListener("hashchange", openAddress);
      await openAddress();
      const saved = self.saved();
      if (!game && saved) await open(saved).catch(() => {}); // from an older version of the page
      if (!game) await self.newGame({});
    },

    async state() {
      const seat = viewer, moves = await movesFor(seat), names = labels();
      return {
        viewer: seat, names, moves, over: current().over, failure, notice, trouble, isGuided: isGuided(),
        canUndo: canUndo(), canHint: Boolean(self.tables.adviser) && isHumanTurn(), about: names.join(", "),
        ownName: people().length > 1 ? game.names[seat] ?? "" : null, isOpen: isOpen(), isShown,
        nextViewer: isHumanTurn() && current().toPlay !== seat ? current().toPlay : null,
      };
    },

    /** Look with another seat's eyes: the next person at this screen, or any seat after the game or between bots. */
    async look(seat) {
      if (!isOpen() && !(isHumanTurn() && seat === current().toPlay)) throw new Error("it is not this seat's turn");
      viewer = seat;
      changed();
    },

    async effects() {
      const found = await call("effects", game, { bytes: current().bytes, seat: viewer, number: SAMPLES });
      return Object.fromEntries(found.map(([action, samples]) => [action, samples.map((one) => positionFrom(self.tables, ...one))]));
    },

    async act(action) {
      if (current().toPlay !== viewer || !isHumanTurn()) throw new Error("it is not your turn");
      isShown = false;
      await play(action);
      goOn();
    },

    /** Undo the person's move with an index, by default the last one, and everything after it. */
    async undo(move = ownDecisions().at(-1) + 1) {
      if (!canUndo() || !ownDecisions().includes(move - 1)) throw new Error("there is no action to undo");
      await cut(move - 1);
    },

    /** Play on from a position, with other players in the given seats; the moves after it are dropped. */
    async playOn(index = positions.length - 1, players = {}) {
      game = { ...game, seats: game.seats.map((player, seat) => players[seat] ?? player) };
      positions.forEach((position) => { position.moves = {}; }); // the legal actions depend on the players
      if (!people().includes(viewer)) viewer = people()[0] ?? viewer;
      await cut(index);
    },

    async hint() {
      const by = isGuided() && await call("policy", game) ? ANALYST : self.tables.adviser; // the analysis accepts it
      const { action, actions, values } = await chosen(current(), by, game.actions.length);
      const value = values[actions.indexOf(action)];
      return { action, by, value: `chance to win ${Math.round(100 * Math.min(Math.max(value, 0), 1))} %` };
    },

    /** The fields of the form for new games, given what has been chosen so far. */
    async options(values = {}) {
      const name = values.game ?? game.game, tables = await tablesFor(name);
      const before = name === game.game ? { ...game.settings, ...Object.fromEntries(game.seats.map((one, seat) => [`seat_${seat}`, one])) } : {};
      const given = { ...before, ...values };
      const start = startWith(tables, given);
      const word = (value) => ({ null: "at random", false: "no", true: "yes" })[value] ?? String(value).replaceAll("_", " ");
      const of = (choices, text = word) => choices.map((value) => ({ label: text(value), value }));
      const settings = tables.names.flatMap((key, i) => {
        const choices = choicesOf(tables, start[0], i), [label, help] = tables.labels[key];
        const isIdle = tables.for_one.includes(key) && key !== "mode" && numberOfSeats(tables, start) > 1;
        return choices.length > 1 && !isIdle ? [{ name: key, label, help, value: start[0][i], choices: of(choices) }] : [];
      });
      const policy = await call("policy", { game: name, config: start[1] });
      const players = [HUMAN, ...BOTS.filter((bot) => policy || !bot.startsWith("puct")), ...policy ? [policy] : []];
      const bots = of(players, (player) => player === HUMAN ? "a person" : player);
      const seats = seatsOf(given, numberOfSeats(tables, start)).map((value, seat) => (
        { name: `seat_${seat}`, label: `Seat ${seat + 1}`, help: "Who plays this seat.", value, choices: bots }));
      const games = { name: "game", label: "Game", help: "", value: name, choices: of(Object.keys(GAMES), (key) => GAMES[key]) };
      return { fields: [...Object.keys(GAMES).length > 1 ? [games] : [], ...settings, ...seats], guided: Boolean(tables.guide) };
    },

    async newGame(values, seed) {
      const name = values.game ?? game?.game ?? Object.keys(GAMES)[0];
      await open(newData(await tablesFor(name), values, seed));
      keep();
    },

    async rematch() {
      await open({ ...asData(game), seed: randomSeed(), actions: [] });
      keep();
    },

    async guided(name = game.game) {
      const { guide } = await tablesFor(name);
      const opponent = guide.opponent ? { bot: guide.opponent } : { players: 1 };
      await self.newGame({ game: name, ...guide.settings, ...opponent }, guide.seed);
    },

    home: () => ({ games: GAMES, saved: self.saved()?.actions.length ? self.saved().game : null }),

    /** Let two bots play. */
    async watch(name) {
      await self.newGame({ game: name, players: 2, seat_0: WATCHED[0], seat_1: WATCHED[1] });
    },

    async rename(name) {
      if (!CHOSEN_NAME.test(name)) throw new Error("a name has 1 to 20 letters, digits, spaces or . ' - _");
      game.names[viewer] = name;
      keep();
      changed();
    },

    rules: () => textOf(`${game.game}/rules.html`),

    // --- links ----------------------------------------------------------------------------------------

    link: async () => `${location.href.split("#")[0]}#${await toText(asData(game))}`,

    async openLink(text) {
      let data;
      try {
        data = await fromText(text);
      } catch {
        throw new Error("the link is not complete");
      }
      await open(data, true);
    },

    /** A game that this browser kept, as data; null if there is none. */
    saved() {
      try {
        return JSON.parse(localStorage.getItem(SAVED));
      } catch {
        return null;
      }
    },

    // --- analysis -------------------------------------------------------------------------------------

    /**
     * Evaluate the decision at a position with a bot that knows only what the seat to play knows. The result has the
     * legal `actions`, the bot's `action`, the `played` one and, depending on the bot, for each legal action a value
     * (the chance to win), visits and priors. If the bot itself played here, this is the evaluation that it made.
     */
    async evaluate(index, bot = null) {
      const position = positions[index], { move } = positions[index + 1] ?? { move: null };
      checkOpen(position.toPlay);
      const isSame = move?.choice && (bot ?? move.choice.bot) === move.choice.bot;
      const choice = isSame ? move.choice : await chosen(position, bot ?? FIRST_BOT, index);
      return { ...choice, seat: position.toPlay, played: move?.action ?? null };
    },

    /** Return a strong bot's judgement of a move: the chance to win with the `best` action, and with the move. */
    async judge(index) {
      const { bytes, toPlay } = positions[index - 1], action = game.actions[index - 1];
      checkOpen(toPlay);
      const bot = await call("policy", game) ? ANALYST : FIRST_BOT;
      return withNetworks(bot, () => call("judge", game, { bytes, bot, action, seed: mixed(index - 1) }));
    },

    /** Return random positions that a seat, usually the one to play, cannot distinguish from a position. */
    async beliefs(index, number = SAMPLES, seat = positions[index].toPlay ?? viewer) {
      checkOpen(seat);
      const { tables } = self, { bytes } = positions[index];
      return (await call("beliefs", game, { bytes, seat, number })).map((one) => positionFrom(tables, ...one));
    },
  };

  return self;
})();
