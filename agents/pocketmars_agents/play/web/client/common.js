"use strict";
// What all boards use. A board draws positions of one game as HTML; `BOARDS` has the boards by the game's name.

const BOARDS = {};
const boardOf = ({ tables }) => BOARDS[tables.game] ?? PLAIN_BOARD;

/** Return a position as the viewer sees it; see `position_data` in tables.py for the other arguments. */
function positionFrom(tables, bytes, extra) {
  const record = read(tables.record, new DataView(bytes.buffer, bytes.byteOffset), 0);
  const { name } = tables.decisions[record.decision] ?? { name: null };
  return { legal: [], ...extra, record, toPlay: record.to_play < 0 ? null : record.to_play, decision: name, over: record.over !== 0 };
}

/** Return the name of an action's block and the action's argument, its index in the block. */
function blockOf(tables, action) {
  const { name, first } = tables.blocks.findLast((block) => block.first <= action);
  return [name, action - first];
}

/** Return the words for an action, with the names of seats as the viewer sees them. */
function wordsOf(context, position, action) {
  const words = context.tables.words[position.decision]?.[action] ?? context.tables.actions[action];
  const board = boardOf(context);
  const named = board.words ? board.words(position, words, action, context) : words;
  return context.names[position.toPlay] === "You" ? named : named.replace(/\byour\b/g, "their");
}

const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => String(text).replace(/[&<>"]/g, (char) => ESCAPED[char]);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const range = (length) => Array.from({ length }, (_, i) => i);
const has = (cards, card) => (cards >> BigInt(card)) & 1n;

/** Return the members of a set of cards, which is a BigInt. */
function members(cards) {
  return range(64).filter((card) => has(cards, card));
}

/** Return an element as HTML; attributes that are null or false are left out. */
function tag(name, attributes, ...content) {
  const set = Object.entries(attributes).filter(([, value]) => value !== null && value !== false && value !== undefined);
  const text = set.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
  return `<${name}${text}>${content.flat(9).join("")}</${name}>`;
}

/** Return a symbol, a path in a square of 24 by 24 units, as HTML. */
const symbol = (path, className = "symbol") =>
  `<svg class="${className}" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;

/** Return the changes between two lists of facts as text; `null` stands for a value that is not known. */
function differences(before, after) {
  const old = new Map(before), changes = new Map(); // the changes of a seat follow its name
  for (const [label, value] of after) {
    if (value === old.get(label)) continue;
    const [, owner, what] = label.match(/^(?:(.*): )?(.*)$/);
    const change = `${what} ${[old.get(label), value].map((one) => one ?? "?").join(" → ")}`;
    changes.set(owner, [...(changes.get(owner) ?? []), change]);
  }
  return [...changes].map(([owner, texts]) => (owner ? `${owner}: ` : "") + texts.join(", ")).join(" · ");
}

const briefly = (facts) => facts.filter(([, , isLong]) => !isLong);

/** Return the facts that are equal in all positions, with `null` for the values that differ. */
function agreed(board, positions, context) {
  const [first, ...others] = positions.map((position) => board.facts(position, context));
  const rest = others.map((facts) => new Map(facts));
  return first.map(([label, value, isLong]) => [label, rest.every((facts) => facts.get(label) === value) ? value : null, isLong]);
}

const pointsText = (number) => `${number} ${number === 1 ? "point" : "points"}`;

/** The board of a game without one of its own: its points and the numbers of the seat's view. */
const PLAIN_BOARD = {
  draw: (position, context) => ({
    others: "", middle: tag("dl", {}, PLAIN_BOARD.facts(position, context).map(([label, value]) => tag("dt", {}, escaped(label)) + tag("dd", {}, escaped(value)))), own: "",
  }),
  path: () => [],
  points: ({ scores }) => scores.map((score) => ({ total: pointsText(score), parts: [] })),
  facts: ({ record, scores }, { names }) => [
    ...scores.map((score, seat) => [`${names[seat]}: points`, score]),
    ...Object.entries(record).filter(([name, value]) => typeof value === "number" && name !== "unused"),
  ],
  summary: ({ scores }, { names }) => scores.map((score, seat) => `${names[seat]} ${score}`).join(" · "),
};
