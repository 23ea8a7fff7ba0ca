"use strict";
// What bots think of the moves of a game: the curve of chances, mistakes, and what a bot considered and believes.

const COSTLY = 0.05; // a decision that loses at least this chance to win is marked
const judgements = new WeakMap(); // of moves
const BEST = 5;
const [CURVE_LEFT, CURVE_WIDTH] = [34, 262]; // of 300 units
const WORLDS = 64; // how many random worlds show what a bot believes
const percent = (value) => `${Math.round(100 * Math.min(Math.max(value, 0), 1))} %`;

/** Let a strong bot judge the viewer's moves, and after the game all moves, one after the other. */
async function analyse() {
  const { moves } = state;
  for (const [i, move] of moves.entries()) {
    if (i === 0 || judgements.has(move) || !(current().over || move.seat === state.viewer)) continue;
    try {
      judgements.set(move, await source.judge(i));
    } catch { return; }
    if (state.moves[i] !== move) return; // an undo
    showCurve();
    showLog();
  }
}

/** Draw the viewer's chance to win over the moves; a click shows the position before the nearest move. */
function showCurve() {
  const judged = state.moves.map((move, i) => ({ i, ...judgements.get(move), seat: move.seat })).filter(({ best, seat }) => best !== undefined && seat === state.viewer);
  const last = Math.max(1, state.moves.length - 1), x = (i) => CURVE_LEFT + (CURVE_WIDTH * i) / last, y = (value) => 76 - 72 * value;
  const line = judged.map(({ i, best_value: value }) => `${x(i)},${y(value)}`).join(" ");
  const marks = judged.filter(isCostly).map(({ i, value }) => `<circle cx="${x(i)}" cy="${y(value)}" r="4"/>`);
  const lines = [1, 0.5, 0].map((value) => `<path d="M${CURVE_LEFT} ${y(value)}H300"/><text x="${CURVE_LEFT - 4}" y="${y(value) + 3}">${percent(value)}</text>`);
  find("curve").innerHTML = judged.length ? `<svg viewBox="0 -4 300 88" role="img" aria-label="Your chance to win, by move">${lines.join("")}` +
    `<polyline points="${line}"/>${marks.join("")}<path class="now" d="M${x(shown)} 0V80"/></svg><small>Your chance to win before each of your moves; dots: moves that lose ${percent(COSTLY)} or more.</small>` : "";
  find("analyse").hidden = !(current().over || state.canUndo) || state.moves.length < 2;
}

const isCostly = (judgement) => judgement && judgement.best_value - judgement.value >= COSTLY;

/** Describe the judgement of the move after the shown position, and mark the better action on the board. */
function showJudgement() {
  const next = state.moves[shown + 1], judgement = next && judgements.get(next);
  find("judgement").replaceChildren();
  if (!judgement || running) return;
  const { position } = state.moves[shown];
  const same = judgement.best === next.action;
  find("judgement").append(element("p", `Next, move ${shown + 1}: ${wordsOf(context, position, next.action)} (${percent(judgement.value)}). ` +
    (same ? "The analysis agrees." : `Better: ${wordsOf(context, position, judgement.best)} (${percent(judgement.best_value)}).`)));
  for (const target of board().path(position, judgement.best, context)) {
    find("board").querySelectorAll(`[data-target="${CSS.escape(target)}"]`).forEach((place) => place.classList.add("best"));
  }
  if (!state.canUndo || next.seat !== state.viewer) return;
  find("judgement").append(button("Try again from here", () => change(() => source.undo(shown + 1))));
}

/** Show what the bot that made the next move considered: its best actions with their chances and visits. */
async function showThoughts() {
  const index = shown, next = state.moves[index + 1];
  find("thoughts").replaceChildren();
  if (!source.evaluate || !state.isOpen || !next || running?.skip) return;
  const found = await source.evaluate(index).catch(() => null);
  if (!found?.values || index !== shown || state.moves[index + 1] !== next) return;
  const { actions, values, visits, played, bot } = found, { position } = state.moves[index];
  const best = actions.map((action, i) => ({ action, value: values[i], visits: visits?.[i] ?? 0 }))
    .sort((a, b) => b.visits - a.visits || b.value - a.value).slice(0, BEST);
  find("thoughts").append(element("h3", `What ${bot} considered`), ...best.map((one) => {
    const text = `${percent(one.value)}${visits ? `, ${one.visits} visits` : ""} · ${wordsOf(context, position, one.action)}`;
    const meter = element("meter", "");
    Object.assign(meter, { value: Math.min(Math.max(one.value, 0), 1), ariaLabel: "chance to win" });
    return element("p", [meter, element(one.action === played ? "b" : "span", text)]);
  }));
  const worlds = board().hidden ? await source.beliefs(index, WORLDS) : [];
  if (index === shown && worlds.length) find("thoughts").append(...beliefs(worlds).map((line) => element("small", line)));
}

/** Return, for each place with hidden cards, the likeliest ones in random worlds that the mover considers possible. */
function beliefs(worlds) {
  const places = new Map();
  for (const world of worlds) {
    for (const [place, card] of board().hidden(world, context)) {
      const counts = places.get(place) ?? places.set(place, new Map()).get(place);
      counts.set(card, (counts.get(card) ?? 0) + 1);
    }
  }
  return [...places].map(([place, counts]) => `${place} may have ` + [...counts].sort((a, b) => b[1] - a[1]).slice(0, BEST)
    .map(([card, count]) => `${card} (${percent(count / worlds.length)})`).join(", "));
}
