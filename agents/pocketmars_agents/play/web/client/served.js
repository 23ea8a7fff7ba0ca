"use strict";
// The source of a game that `pocketmars play --web` serves.

const source = (() => {
  const SECONDS_BETWEEN_TRIES = 2;
  const GONE = "This game has ended, or it does not exist.";
  const LOST = "The server is not running. Start it again with the same command, but without --new; your game is saved.";
  const STOPPED = "The game is over, and its server has stopped.";
  let known = null, moves = [], isGone = false;

  async function ask(path, data) {
    const request = data && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
    const response = await fetch(path, request).catch(() => { throw new Error(LOST); });
    if (response.ok || response.status === 409) {
      const answer = await response.json();
      if (answer.error) throw new Error(answer.error);
      return answer;
    }
    isGone = response.status === 404;
    throw new Error(isGone ? GONE : `the server returned status ${response.status}`);
  }

  const positionOf = ([text, extra]) =>
    positionFrom(self.tables, Uint8Array.from(atob(text), (char) => char.charCodeAt(0)), extra);

  /** Take over a reply of the server. Replies arrive through different requests, in any order. */
  function take(reply) {
    if (known && reply.epoch === known.epoch && reply.version < known.version) return;
    const isSame = known && reply.epoch === known.epoch;
    // An undo or a new game sends all moves again; those that are the same stay the same objects.
    const received = reply.moves.map((move, i) => {
      const text = JSON.stringify(move), old = moves[reply.first + i];
      return old?.text === text ? old : { ...move, text, position: positionOf(move.position), end: move.end && positionOf(move.end) };
    });
    moves = [...isSame ? moves.slice(0, reply.first) : [], ...received];
    known = { ...reply, about: aboutOf(reply) };
    self.onChange();
  }

  const aboutOf = ({ names, replay }) => [names.join(", "), replay && `the replay is in ${replay}`].filter(Boolean).join(" · ");

  async function listen() {
    while (!isGone) {
      try {
        take(await ask(`state?after=${known.lost ? "" : known.stamp}&have=${moves.length}&epoch=${known.epoch}`));
      } catch {
        known = { ...known, lost: isGone ? GONE : known.ended ? STOPPED : LOST };
        self.onChange();
        await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS_BETWEEN_TRIES));
      }
    }
  }

  const change = async (path, data = {}) => take(await ask(path, { version: known.version, have: moves.length, epoch: known.epoch, ...data }));

  const self = {
    replay: "replay",
    onChange: () => {},
    async load() {
      self.tables = await ask("tables");
      take(await ask("state"));
      listen();
    },
    state: async () => ({ ...known, moves }),
    async effects() {
      const results = await ask("effects");
      return Object.fromEntries(Object.entries(results).map(([action, positions]) => [action, positions.map(positionOf)]));
    },
    act: (action) => change("action", { action }),
    undo: (move = null) => change("undo", { move }),
    judge: (move) => ask(`judgement?move=${move}`),
    rematch: () => change("rematch"),
    guided: () => change("guided"),
    rename: (name) => change("name", { name }),
    newGame: (settings) => change("new", { settings }),
    hint: () => ask("hint"),
    async options(values = {}) {
      const { fields, ...others } = await ask("new");
      const filled = fields.map((field) => ({ ...field, value: values[field.name] ?? field.value }));
      const isAlone = filled.find(({ name }) => name === "rivals")?.value === 0;
      return { fields: filled.map((field) => ({ ...field, isHidden: field.alone !== null && field.alone !== isAlone })), ...others };
    },
    rules: async () => (await fetch("rules")).text(),
  };
  return self;
})();
