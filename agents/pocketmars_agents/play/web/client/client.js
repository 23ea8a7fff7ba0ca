"use strict";
// The page of a game: it shows the positions that `source` gives, and turns clicks on the board into actions.

const MOVE_MS = 300;
const PAUSE_MS = 450;
const DRAG_PIXELS = 8;
const FEW = 2; // so few actions are always shown as buttons, too
const KEYS = "123456789abcdefgijklmnopqrstvwxyz"; // without h (hint) and u (undo)

const find = (id) => document.getElementById(id);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let context = null; // tables, and the names of the seats as the viewer sees them
let state = null;
let shown = 0; // the number of the move whose position is shown
let picked = []; // the targets that were clicked, in order
let paths = new Map(); // the targets of each legal action
let effects = {}; // for each legal action, the changes as text
let running = null; // the animation of new moves; calling `skip` ends it
let isBusy = false;
let advised = null;
let problem = "";

const board = () => boardOf(context);
const current = () => state.moves.at(-1).position;
const isCurrent = () => shown === state.moves.length - 1;

// --- new states -----------------------------------------------------------------------------------------

/** Show a new state: first its new moves, one after the other. */
async function receive(next) {
  const old = state, wasCurrent = !old || running || isCurrent();
  const isLonger = old && old.moves.every((move, i) => move === next.moves[i]);
  if (old?.names.join() !== next.names.join()) news = new WeakMap();
  if (old?.lost && !next.lost) problem = "";
  state = next;
  if (context?.tables !== source.tables) showGame(source.tables);
  context = { tables: source.tables, names: state.names, viewer: state.viewer };
  if (!isLonger) shown = next.moves.length - 1;
  if (!isLonger || next.moves.length > old.moves.length) {
    picked = [];
    effects = {};
    advised = null;
    if (wasCurrent && !running) return showNewMoves();
  }
  if (running) showThoughts(); // the animation of new moves draws
  else draw();
}

async function showNewMoves() {
  running = { skip: false };
  const moves = running;
  while (!isCurrent()) {
    if (state.isOpen && shown > 0) await pauseForWatching(moves);
    const { seat, position, end } = state.moves[shown + 1];
    if (end && !moves.skip) {
      travel(() => drawBoard(end), true);
      await askToContinue(board().pause?.(state.moves[shown].position, position, context) ?? "The round is over");
    }
    const isSlow = !moves.skip && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    travel(() => { shown += 1; draw(); }, isSlow);
    if (isSlow) await wait(seat === state.viewer || isCurrent() ? MOVE_MS : MOVE_MS + PAUSE_MS);
  }
  running = null;
  draw();
  if (find("bar").textContent === "Continue") find("bar").replaceChildren();
  if (current().legal.length) await computeEffects();
}

const speed = () => Number(find("speed").value);

/** Wait before the next move of the bots; step by step, wait until the person goes on. */
async function pauseForWatching(moves) {
  const start = performance.now();
  while (!moves.skip && performance.now() - start < PAUSE_MS * speed()) await wait(30);
  moves.skip = false;
}

/** Show a notice with a button, and wait until it is clicked. */
function askToContinue(notice) {
  return new Promise((resolve) => {
    find("prompt").textContent = notice;
    const made = button("Continue", resolve);
    find("bar").replaceChildren(made);
    made.focus();
  });
}

/** Change the board, and let the pieces travel from their old places to the new ones. */
function travel(change, isSlow) {
  const pieces = () => new Map([...find("board").querySelectorAll("[data-piece]")].map((piece) => [piece.dataset.piece, piece]));
  const old = isSlow && new Map([...pieces()].map(([key, piece]) => [key, piece.getBoundingClientRect()]));
  change();
  if (!isSlow) return;
  for (const [key, piece] of pieces()) {
    const from = old.get(key), to = piece.getBoundingClientRect();
    if (!from) piece.animate([{ opacity: 0 }, { opacity: 1 }], MOVE_MS);
    else if (Math.hypot(from.x - to.x, from.y - to.y) > 2) {
      const scale = from.width / (to.width || 1);
      piece.animate([
        { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${scale})`, transformOrigin: "0 0", zIndex: 3 },
        { transform: "none", transformOrigin: "0 0", zIndex: 3 },
      ], { duration: MOVE_MS, easing: "ease-in-out" });
    }
  }
}

async function computeEffects() {
  const position = current();
  try {
    const results = await source.effects();
    if (position !== current()) return;
    const before = briefly(board().facts(position, context));
    effects = Object.fromEntries(Object.entries(results).map(([action, positions]) => [action,
      board().pause?.(position, positions[0], context) ?? differences(before, briefly(agreed(board(), positions, context)))]));
    if (state.isGuided && state.moves.length === 1) source.hint().catch(() => {}); // compiles or loads while one reads
    if (state.isGuided && advised === null) await advise();
    showChoices();
    showEffect();
    showLesson();
  } catch { /* effects are an aid; the game goes on without them */ }
}

function act(action) {
  if (isBusy) return;
  picked = [];
  change(() => source.act(action));
}

/** Make a change; return the reason if it is refused. The page is busy until it shows the new state. */
async function change(make) {
  setBusy(true);
  try {
    tell("");
    await make();
    receive(await source.state());
    return "";
  } catch (error) {
    tell(error.message);
    draw();
    return error.message;
  } finally {
    setBusy(false);
  }
}

// Buttons are not disabled: a disabled button loses the keyboard focus.
function setBusy(now) {
  isBusy = now;
  document.body.setAttribute("aria-busy", String(now));
}

function tell(words) {
  problem = words;
  const shown = [state?.lost || words, state?.trouble && `The game is not saved: ${state.trouble}`].filter(Boolean).join(" · ");
  if (find("problem").textContent !== shown) find("problem").textContent = shown; // read aloud only if new
}

// --- drawing --------------------------------------------------------------------------------------------

function draw() {
  const { position, end } = state.moves[shown];
  if (end && position.over) position.last = end; // the table before it was cleared
  const isLive = isCurrent() && !running;
  paths = new Map(isLive ? position.legal.map((action) => [action, board().path(position, action, context)]) : []);
  const focus = document.activeElement?.closest("[data-target]")?.dataset.target;
  drawBoard(position);
  find("summary").textContent = board().summary(position, context);
  find("turn").classList.toggle("to-play", isLive && position.legal.length > 0);
  document.title = `${isLive && position.legal.length ? "● " : ""}${context.tables.title}`;
  find("undo").hidden = !state.canUndo;
  find("hint").hidden = !state.canHint || !paths.size;
  find("board").classList.toggle("past", !isCurrent() && !running);
  if (!(running && find("bar").textContent === "Continue")) find("prompt").textContent = promptAt(position);
  showTargets();
  showChoices();
  showEffect();
  showLog();
  showWords(position);
  showLesson();
  showCurve();
  showJudgement();
  showThoughts();
  showEnd();
  showWatching();
  tell(problem);
  find("naming").hidden = state.ownName === null || state.ownName === undefined;
  if (document.activeElement !== find("own-name")) find("own-name").value = state.ownName ?? "";
  find("about").textContent = [state.about, state.notice].filter(Boolean).join(" · ");
  if (focus) find("board").querySelector(`[data-target="${CSS.escape(focus)}"][tabindex]`)?.focus();
}

function drawBoard(position) {
  for (const [name, html] of Object.entries(board().draw(position, context))) find(name).innerHTML = html;
  for (const part of find("board").querySelectorAll("[aria-label]:not([role], section)")) {
    part.setAttribute("role", part.querySelector("[data-target], [data-piece]") ? "group" : "img");
  }
}

function promptAt(position) {
  if (!isCurrent() && !running) return `Looking back at move ${shown} of ${state.moves.length - 1}`;
  if (position.over) return resultOf(position);
  if (state.failure) return `The game was stopped: ${state.failure}`;
  if (position.toPlay !== state.viewer) return `${context.names[position.toPlay]} is playing …`;
  const { prompt } = context.tables.decisions[position.record.decision];
  return capital(board().words ? board().words(position, prompt, position.legal[0] ?? null, context) : prompt);
}

function resultOf({ winners }) {
  const names = winners.map((seat) => context.names[seat]);
  if (names.length > 1) return `Game over: a draw of ${names.join(" and ")}`;
  return names.length ? `Game over: ${names[0]} ${names[0] === "You" ? "win" : "wins"}` : "Game over: nobody wins";
}

/** The legal actions whose paths begin with the picked targets. */
function candidates() {
  return [...paths.keys()].filter((action) => picked.every((target, i) => paths.get(action)[i] === target));
}

/** Mark the targets of the next click, and show actions without targets as buttons. */
function showTargets() {
  const possible = candidates();
  const targets = new Map();
  for (const action of possible) {
    const target = paths.get(action)[picked.length];
    if (target) targets.set(target, [...(targets.get(target) ?? []), action]);
  }
  const recommended = new Set(paths.get(shown === state.moves.length - 1 ? advised : null) ?? []);
  for (const place of find("board").querySelectorAll("[data-target]")) {
    const { target } = place.dataset, actions = targets.get(target);
    place.classList.toggle("next", Boolean(actions));
    place.classList.toggle("picked", picked.includes(target));
    place.classList.toggle("advised", recommended.has(target));
    if (!actions) continue;
    place.tabIndex = 0;
    place.setAttribute("role", "button");
    const words = actions.length === 1 ? wordsOf(context, current(), actions[0]) : "";
    if (words) place.setAttribute("aria-label", `${capital(words)}. ${place.getAttribute("aria-label") ?? ""}`);
  }
  const free = possible.filter((action) => !paths.get(action).length);
  const buttons = possible.length <= FEW ? possible : free;
  const next = state.nextViewer ?? null; // the next person at this screen
  const others = [
    picked.length && button("Cancel", () => pick(null)),
    next !== null && isCurrent() && button(`Show the cards of ${context.names[next]}`, () => change(() => source.look(next))),
    state.isShown && isCurrent() && !current().over && button("Play on", () => change(() => source.playOn())),
  ].filter(Boolean);
  const isAsked = (action) => `${capital(wordsOf(context, current(), action))}?` === find("prompt").textContent;
  find("bar").replaceChildren(...buttons.map((action) => actionButton(action, "", isAsked(action) ? "Yes" : undefined)), ...others);
}

function button(words, action) {
  const made = element("button", words);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

function actionButton(action, key = "", words = capital(wordsOf(context, current(), action))) {
  const made = button([...key ? [element("kbd", key)] : [], element("span", words)], () => act(action));
  if (key && effects[action]) made.append(element("small", effects[action]));
  made.dataset.action = action;
  made.classList.toggle("advised", action === advised);
  return made;
}

function showChoices() {
  const actions = [...paths.keys()];
  find("list").hidden = !actions.length;
  const hasFocus = find("choices").contains(document.activeElement);
  find("choices").replaceChildren(...actions.map((action, i) => {
    const made = actionButton(action, KEYS[i] ?? " ");
    made.dataset.key = KEYS[i] ?? "";
    return made;
  }));
  if (hasFocus) (find("choices").querySelector("button") ?? find("prompt")).focus();
}

/** Show what the choice under the pointer, or the only choice left, does; or else the picked card. */
function showEffect(action = candidates().length === 1 ? candidates()[0] : null) {
  const chosen = find("board").querySelector(".picked");
  find("effect").textContent = !paths.size ? "" : action !== null ?
    [capital(wordsOf(context, current(), action)), effects[action]].filter(Boolean).join(" — ") :
    chosen?.getAttribute("aria-label") ?? "Click or drag what is outlined in green.";
}

let news = new WeakMap(); // what moves changed, as text

function newsOf(before, move) {
  const facts = (position) => briefly(board().facts(position, context));
  if (!news.has(move)) news.set(move, differences(facts(before), facts(move.end ?? move.position)));
  return news.get(move);
}

/** Return log entries for a move of which only the changes are known; those of another seat are an entry of their own. */
function entriesFrom(words, mover, changes) {
  const parts = changes.split(" · ").map((text) => [context.names.find((name, seat) => seat !== mover && text.startsWith(`${name}: `)), text]);
  const own = parts.filter(([name]) => !name).map(([, text]) => text).join(" · ");
  return [[null, words, own], ...parts.filter(([name]) => name).map(([name, text]) => [name, text.slice(name.length + 2), ""])];
}

function showLog() {
  const known = running ? shown + 1 : state.moves.length; // later moves have not been shown yet
  const items = state.moves.slice(1, known).map(({ seat, action, log }, i) => {
    const before = state.moves[i].position;
    const words = action === null ? "chooses secretly" : wordsOf(context, before, action);
    const [[, text, why], ...others] = log ?? entriesFrom(words, seat, i < shown ? newsOf(before, state.moves[i + 1]) : "");
    const line = button([element("b", context.names[seat]), `: ${text}`], () => look(i + 1));
    line.dataset.move = i + 1;
    const events = i < shown ? others.map(([who, event, reason]) =>
      element("p", [element("b", who), `${who && ": "}${who ? event : capital(event)}`, element("small", reason)])) : [];
    const item = element("li", [line, element("small", why || ""), ...events]);
    item.classList.toggle("shown", i + 1 === shown);
    item.classList.toggle("costly", isCostly(judgements.get(state.moves[i + 1])) === true);
    return item;
  });
  find("log").replaceChildren(...items);
  const now = find("log").querySelector(".shown");
  if (now) find("log").scrollTop = now.offsetTop + Math.min(0, (now.offsetHeight - find("log").clientHeight) / 2); // scrollIntoView would also scroll the page
}

function showWords(position) {
  find("words").replaceChildren(...board().facts(position, context).flatMap(([label, value]) =>
    [element("dt", capital(label)), element("dd", String(value))]));
}

/** Return the lines of the guided game for the current decision, and set the recommended action. */
function lesson() {
  const { guide } = context.tables;
  if (!state.isGuided || !guide || !paths.size) return [];
  const own = state.moves.filter(({ seat }) => seat === state.viewer).map(({ action }) => action);
  const isFollowed = guide.lessons.slice(0, own.length).every(({ action }, i) => action === own[i]);
  if (isFollowed && own.length < guide.lessons.length) {
    const { action, text } = guide.lessons[own.length];
    advised = action;
    return [`Step ${own.length + 1}`, ...text.split("\n")];
  }
  if (advised === null) return ["…"];
  const { prompt, why } = context.tables.decisions[current().record.decision];
  const gain = effects[advised] ? `That gives: ${effects[advised]}.` : "";
  const farewell = own.length === guide.lessons.length && isFollowed ? guide.farewell.split("\n") : [];
  return [`Step ${own.length + 1}`, ...farewell, capital(why || prompt), `Try: ${wordsOf(context, current(), advised)}. ${gain}`];
}

function showLesson() {
  const before = advised;
  find("lesson").replaceChildren(...lesson().filter(Boolean).map((line) => element("p", line)));
  if (advised !== before) showTargets();
}

function showEnd() {
  const isEnd = current().over && isCurrent() && !running, { position } = state.moves[shown];
  find("board").classList.toggle("ended", isEnd);
  const buttons = [
    isEnd && source.rematch && button("Rematch", () => change(() => source.rematch())),
    isEnd && !find("analyse").hidden && button("Analyze", analyse), isEnd && source.replay && replayLink(),
    source.playOn && (state.isOpen || state.isShown) && !isCurrent() &&
      button("Play on from here", () => change(() => source.playOn(shown, { [state.moves[shown].position.toPlay]: "human" }))),
  ].filter(Boolean);
  const why = isEnd && board().ending ? [element("p", `${capital(board().ending(position, context))}.`)] : [];
  const parts = isEnd ? [...why, pointsAt(position)] : [];
  find("end").replaceChildren(...parts, ...buttons.length ? [element("p", buttons)] : []);
}

/** Return the points of each seat, by source. */
function pointsAt(position) {
  const made = element("div", board().points(position, context).map(({ total, parts }, seat) => element("dl", [
    element("dt", `${context.names[seat]}: ${total}`), ...parts.flatMap(([words, number]) => [element("dd", String(number)), element("dt", words)]),
  ])));
  made.id = "points";
  return made;
}

/** Show the controls for watching, and who may be looked at. */
function showWatching() {
  find("watching").hidden = !state.isOpen;
  find("link").hidden = !source.link;
  find("viewer").replaceChildren(...context.names.map((name, seat) => new Option(name, seat, false, seat === state.viewer)));
}

function replayLink() {
  const link = element("a", "Replay");
  link.href = source.replay;
  link.target = "_blank";
  return link;
}

function element(name, content) {
  const made = document.createElement(name);
  made.append(...[].concat(content));
  return made;
}

// --- clicks and keys --------------------------------------------------------------------------------------

/** Add a target to the picked ones; null, or a target that is picked already, starts again. */
function pick(target) {
  const extended = [...picked, target];
  const fits = (targets) => [...paths.values()].some((path) => targets.every((one, i) => path[i] === one));
  if (target === null || picked.includes(target)) picked = [];
  else if (fits(extended)) picked = extended;
  else picked = fits([target]) ? [target] : [];
  const [only, ...others] = candidates();
  if (picked.length && only !== undefined && !others.length) act(only);
  else { showTargets(); showEffect(); }
}

const targetOf = (node) => node?.closest?.("#board .next, #board .picked")?.dataset.target;

function onClick(event) {
  if (running) running.skip = true;
  const target = targetOf(event.target);
  if (target && !drag) pick(target);
}

let drag = null;

function onPointerDown(event) {
  const place = event.target.closest?.("#board [data-piece].next");
  if (!place || event.button !== 0) return;
  const start = { x: event.clientX, y: event.clientY };
  const move = (now) => {
    if (!drag && Math.hypot(now.clientX - start.x, now.clientY - start.y) < DRAG_PIXELS) return;
    drag ??= beginDrag(place);
    drag.style.translate = `${now.clientX - start.x}px ${now.clientY - start.y}px`;
    now.preventDefault();
  };
  const end = (now) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!drag) return;
    drag.remove();
    const under = document.elementsFromPoint(now.clientX, now.clientY).map((node) => targetOf(node));
    const target = now.type === "pointerup" && under.find((one) => one && !picked.includes(one));
    setTimeout(() => { drag = null; }); // after the click that follows
    pick(target || null);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function beginDrag(place) {
  picked = [place.dataset.target];
  showTargets();
  const ghost = place.cloneNode(true), box = place.getBoundingClientRect();
  ghost.removeAttribute("data-piece");
  ghost.removeAttribute("data-target");
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(ghost);
  return ghost;
}

function onHover(event) {
  const button = event.target.closest?.("[data-action]");
  const target = targetOf(event.target);
  const fitting = candidates().filter((action) => button ? action === Number(button.dataset.action) : target && paths.get(action)[picked.length] === target);
  if (fitting.length === 1) showEffect(fitting[0]);
  else showEffect();
  showText(event);
}

function showText(event) {
  const over = event.target.closest?.("[data-text]");
  find("text").hidden = !over || over.querySelector("p")?.checkVisibility(); // what can be read is not repeated
  if (find("text").hidden) return;
  const box = over.getBoundingClientRect(), text = find("text");
  text.textContent = over.dataset.text;
  const below = box.bottom + 6 + text.offsetHeight < innerHeight;
  text.style.top = `${below ? box.bottom + 6 : Math.max(4, box.top - 6 - text.offsetHeight)}px`;
  text.style.left = `${Math.max(4, Math.min(box.left, innerWidth - text.offsetWidth - 4))}px`;
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (document.querySelector("dialog[open]") || event.target.tagName === "INPUT") return;
  if (running) running.skip = true;
  const isPress = event.key === "Enter" || event.key === " ";
  if (isPress && targetOf(event.target) && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    pick(event.target.dataset.target);
  }
  if (event.key === "Escape") pick(null);
  if (event.key === "ArrowLeft" && !isPress) look(shown - 1);
  if (event.key === "ArrowRight") look(shown + 1);
  if (event.key === "h" && !find("hint").hidden) hint();
  if (event.key === "u" && !find("undo").hidden) find("undo").click();
  if (event.key.length === 1 && !isPress) find("choices").querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
}

/** Show the position after the given move, without changing the game. */
function look(move) {
  if (running) return;
  const next = Math.max(0, Math.min(move, state.moves.length - 1));
  travel(() => { shown = next; picked = []; draw(); }, Math.abs(next - shown) === 1);
}

async function hint() {
  const position = current();
  find("effect").textContent = "thinking …";
  try {
    const { action, by, value } = await advise();
    if (position === current()) find("effect").textContent = `Hint from ${by}: ${wordsOf(context, position, action)}${value ? ` (${value})` : ""}`;
  } catch (error) {
    find("effect").textContent = "";
    tell(`No hint: ${error.message}`);
  }
}

/** Mark the action that a bot would choose, and return it. */
async function advise() {
  const position = current(), found = await source.hint();
  if (position === current()) {
    advised = found.action;
    showTargets();
    showChoices();
  }
  return found;
}

// --- dialogs -----------------------------------------------------------------------------------------------

async function openNew() {
  find("refused").textContent = "";
  await showFields();
  find("new").showModal();
}

/** Show the fields of the form that fit the chosen values. */
async function showFields(values) {
  const { fields } = await source.options(values), focus = document.activeElement?.id;
  // Fields that are shown now would undo what was typed while they were on their way.
  if (values && JSON.stringify(chosen()) !== JSON.stringify(values)) return showFields(chosen());
  find("fields").replaceChildren(...fields.map(field));
  if (focus) find(focus)?.focus();
}

function field({ name, label, help, choices, value, isHidden = false }) {
  const made = document.createElement(choices ? "select" : "input");
  Object.assign(made, { id: `setting-${name}`, name });
  if (choices) {
    made.append(...choices.map((choice) => new Option(choice.label, JSON.stringify(choice.value))));
    made.value = JSON.stringify(value);
  } else if (typeof value === "boolean") {
    Object.assign(made, { type: "checkbox", checked: value });
  } else {
    Object.assign(made, { type: typeof value === "number" ? "number" : "text", value });
  }
  const title = element("label", label);
  title.htmlFor = made.id;
  const all = element("div", [title, made, element("small", help)]);
  all.className = "field";
  all.hidden = isHidden;
  return all;
}

function chosen() {
  const settings = {};
  for (const one of find("settings").querySelectorAll("select, input")) {
    if (one.type === "checkbox") settings[one.name] = one.checked;
    else if (one.tagName === "SELECT") settings[one.name] = JSON.parse(one.value);
    else settings[one.name] = one.type === "number" ? Number(one.value) : one.value;
  }
  return settings;
}

async function start(event) {
  event.preventDefault();
  find("refused").textContent = await change(() => source.newGame(chosen()));
  if (!find("refused").textContent) find("new").close();
}

async function openRules() {
  find("rules-text").innerHTML ||= await source.rules();
  find("guided").hidden = !(await source.options()).guided;
  find("rules").showModal();
  find("rules").scrollTop = 0;
}

/** Show the start page: learn, play or watch a game, or go on with the last one. */
function openHome() {
  const { games, saved } = source.home();
  const go = (words, action) => button(words, () => { find("home").close(); if (action) change(action); });
  const rows = Object.entries(games).map(([game, title]) => element("p", [element("b", title),
    go("Learn", () => source.guided(game)), go("Play", () => source.newGame({ game })), go("Watch", () => source.watch(game))]));
  find("games").replaceChildren(...saved ? [element("p", go(`Resume ${games[saved]}`))] : [], ...rows);
  find("home").showModal();
}

async function copyLink() {
  const link = await source.link();
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).catch(() => {});
  tell("The link to this game is in the address bar.");
}

// --- beginning -----------------------------------------------------------------------------------------------

function showGame(tables) {
  setColors(tables);
  document.body.dataset.game = tables.game;
  document.querySelector("h1").textContent = tables.title;
  find("rules-text").replaceChildren();
}

/** Define the colors of the game for the style sheet. */
function setColors({ themes, buildings = [], seats = [], colours = {} }) {
  const rules = Object.entries(themes).map(([name, theme]) => {
    const values = Object.entries(theme).map(([key, color]) => `--${key}: ${color};`).join(" ");
    return name === "light" ? `:root { ${values} }` :
      `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; ${values} } } :root[data-theme="dark"] { color-scheme: dark; ${values} }`;
  });
  buildings.forEach(({ colour }, i) => rules.push(`.suit-${i} { --suit: ${colour}; }`));
  seats.forEach(({ colour, mark }, i) => rules.push(`.look-${i} { --seat: ${colour}; --mark: ${mark}; }`));
  Object.entries(colours).forEach(([name, colour]) => rules.push(`.kind-${name} { --kind: ${colour}; }`));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join("\n"));
  document.adoptedStyleSheets = [sheet];
}

async function begin() {
  await source.load();
  const clicks = {
    undo: () => change(() => source.undo()), hint, "open-new": openNew, "open-rules": openRules,
    "close-rules": () => find("rules").close(), cancel: () => find("new").close(),
    analyse, link: copyLink, "open-home": openHome, guided: () => { find("rules").close(); change(() => source.guided()); },
    first: () => look(0), back: () => look(shown - 1), forth: () => look(shown + 1), last: () => look(Infinity),
    theme: () => {
      const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const { dataset } = document.documentElement;
      dataset.theme = (dataset.theme || dark) === "dark" ? "light" : "dark";
    },
  };
  for (const [id, action] of Object.entries(clicks)) find(id).addEventListener("click", action);
  find("viewer").addEventListener("change", () => change(() => source.look(Number(find("viewer").value))));
  find("curve").addEventListener("click", ({ clientX }) => {
    const { left, width } = find("curve").getBoundingClientRect();
    look(Math.round(((300 * (clientX - left)) / width - CURVE_LEFT) / CURVE_WIDTH * (state.moves.length - 1)) - 1);
  });
  find("naming").addEventListener("submit", (event) => {
    event.preventDefault();
    change(() => source.rename(find("own-name").value));
  });
  find("settings").addEventListener("submit", start);
  find("fields").addEventListener("change", () => showFields(chosen()));
  document.addEventListener("click", onClick);
  document.addEventListener("pointerdown", onPointerDown);
  document.addEventListener("mouseover", onHover);
  document.addEventListener("focusin", onHover);
  document.addEventListener("keydown", onKey);
  source.onChange = async () => receive(await source.state());
  await receive(await source.state());
  find("open-home").hidden = !source.home;
  if (source.home && !state.isShown) openHome();
}

begin().catch((error) => { find("problem").textContent = `The game cannot be shown: ${error.message}`; });
