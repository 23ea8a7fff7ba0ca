"use strict";
const KEYS = "123456789abcdefgijklmnopqrstvwxyz"; // without h (hint) and u (undo)
const SECONDS_BETWEEN_TRIES = 2;
const GONE = "This game has ended, or it does not exist.";
const LOST = "The game's server cannot be reached; this page keeps trying.";
const STOPPED = "The game is over, and its server has stopped.";
const CONTINUE = { action: "continue", words: "Continue", heading: "", text: "", note: "", targets: [] };

const find = (id) => document.getElementById(id);
let state = null, texts = {}, names = null, told = 0;
let is_busy = false, wants_focus = false, pointed_at = [], problem = "", is_gone = false, passed_end = null;

// --- asking the server ------------------------------------------------------------------------------

async function ask(path, data) {
  const request = data && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data),
  };
  const response = await fetch(path, request);
  if (response.ok || response.status === 409) return response.json();
  is_gone = response.status === 404;
  throw new Error(is_gone ? GONE : `the server returned status ${response.status}`);
}

async function change(path, data) {
  if (is_busy) return "";
  hide_text();
  set_busy(true);
  let refused = "";
  try {
    const reply = await ask(path, { version: state.version, ...data });
    if (reply.error) show(await ask("state")); else show(reply);
    refused = reply.error || "";
  } catch (error) {
    refused = `The request failed: ${error.message}`;
  }
  tell(refused);
  set_busy(false);
  return refused;
}

// A problem is shown until the next change; the warning is shown as long as the game is not saved.
function tell(words) {
  problem = words;
  const warning = state.trouble ? `The game is not saved: ${state.trouble}` : "";
  const shown = [problem, warning].filter(Boolean).join(" · ");
  if (find("problem").textContent !== shown) find("problem").textContent = shown; // read aloud only if new
}

// Buttons are not disabled: a disabled button loses the keyboard focus.
function set_busy(now) {
  is_busy = now;
  document.body.setAttribute("aria-busy", String(now));
}

async function advise() {
  const { version } = state;
  find("hint").disabled = true;
  find("advice").textContent = "thinking …";
  try {
    const hint = await ask("hint");
    if (version !== state.version) return;
    tell(hint.error || "");
    find("advice").textContent = hint.error ? "" : `Hint from ${hint.by}: ${hint.words}` + (hint.value && ` (${hint.value})`);
    for (const button of find("choices").querySelectorAll("button")) {
      button.classList.toggle("advised", Number(button.dataset.action) === hint.action);
    }
  } catch (error) {
    find("advice").textContent = "";
    tell(`No hint: ${error.message}`);
  } finally {
    find("hint").disabled = false;
  }
}

async function listen() {
  while (!is_gone) {
    try {
      const news = await ask(`state?after=${state.stamp}`);
      if (news.stamp !== state.stamp) show(news);
      if (find("about").dataset.lost) about();
    } catch {
      find("about").dataset.lost = "yes";
      find("about").textContent = is_gone ? GONE : state.ended ? STOPPED : LOST;
      await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS_BETWEEN_TRIES));
    }
  }
  tell(GONE);
}

// --- showing ----------------------------------------------------------------------------------------

// Replies and polled states arrive through different requests, in any order. A saved game stays saved.
function is_old(next) {
  return next.version < state.version || (next.version === state.version && state.replay && !next.replay);
}

function show(next) {
  if (state && is_old(next)) return;
  const is_new = !state || next.version !== state.version || next.players.join() !== state.players.join();
  state = next;
  if (!state.round_end) passed_end = null;
  render(is_new);
}

// The end of a round is shown until the person goes on or, if the game is over, as long as the page is open.
function is_paused() {
  return state.round_end !== null && !state.over && state.round_end.number !== passed_end;
}

function shown() {
  return is_paused() || (state.over && state.round_end) ? state.round_end : state;
}

function go_on() {
  passed_end = state.round_end.number;
  render(true);
}

function render(is_new) {
  document.title = `${state.to_play ? "● " : ""}${document.querySelector("h1").textContent}`;
  find("title").textContent = shown().title;
  find("prompt").textContent = is_paused() ? shown().prompt : state.prompt;
  find("detail").replaceChildren(...with_cards(state.detail));
  find("turn").classList.toggle("to-play", state.to_play);
  find("notice").textContent = state.notice;
  find("undo").hidden = !state.undo;
  find("hint").hidden = !state.hints || !state.to_play || is_paused();
  if (is_new) {
    set_busy(false); // a polled state may arrive before the reply to the action that caused it
    find("advice").textContent = "";
    problem = "";
    pointed_at = [];
    find("lesson").replaceChildren(...state.lesson.text.split("\n").filter(Boolean).map((line) => element("p", line)));
    show_choices();
    show_table();
    show_log();
    show_places();
    show_end();
  }
  find("naming").hidden = state.name === null;
  if (document.activeElement !== find("own-name")) find("own-name").value = state.name || "";
  tell(problem);
  about();
}

function about() {
  const kept = state.replay ? ` · the replay is in ${state.replay}` : "";
  delete find("about").dataset.lost;
  find("about").textContent = `${state.players.join(", ")} · keys: as shown on the choices` +
    `${state.hints ? ", h hint" : ""}${state.undo ? ", u undo" : ""}${kept}`;
}

function element(name, content, className) {
  const made = document.createElement(name);
  made.append(...[].concat(content));
  if (className) made.className = className;
  return made;
}

function show_choices() {
  const groups = new Map();
  (is_paused() ? [CONTINUE] : state.choices).forEach((choice, i) => {
    const { heading } = choice;
    if (!groups.has(heading)) groups.set(heading, heading_group(heading));
    groups.get(heading).append(choice_button(choice, KEYS[i] || ""));
  });
  wants_focus ||= find("choices").contains(document.activeElement);
  find("choices").replaceChildren(...groups.values());
  if (!wants_focus) return;
  const first = find("choices").querySelector("button");
  (first || find("prompt")).focus(); // while others play, the prompt keeps the focus
  wants_focus = !first && !state.over;
}

function heading_group(heading) {
  return heading ? element("div", element("h3", heading), "group") : element("div", [], "group");
}

function choice_button(choice, key) {
  const button = element("button", [element("kbd", key), element("span", choice.words)]);
  if (choice.note) button.append(element("small", choice.note));
  button.type = "button";
  button.dataset.action = choice.action;
  button.dataset.key = key;
  button.dataset.text = choice.text;
  button.targets = choice.targets;
  button.classList.toggle("advised", choice.action === state.lesson.action);
  if (choice.text) button.setAttribute("aria-description", choice.text);
  button.addEventListener("click", () => choice === CONTINUE ? go_on() : change("action", { action: choice.action }));
  return button;
}

function show_log() {
  const items = [];
  let round = null;
  state.log.forEach((entry, i) => {
    if (entry.round !== round) {
      round = entry.round;
      items.push(element("li", `Round ${round}`, "round"));
    }
    items.push(log_line(entry, i >= told ? "new" : ""));
  });
  told = state.log.length;
  find("log").replaceChildren(...items);
  find("log").scrollTop = find("log").scrollHeight;
  const news = state.log.slice(state.since);
  find("since").replaceChildren(...news.map((entry) => log_line(entry, "")));
  find("news").hidden = !news.length || !(state.to_play || state.over);
}

function log_line(entry, className) {
  const who = entry.seat ? [element("b", entry.seat), ": "] : [];
  const item = element("li", [...who, ...with_cards(entry.words)], className);
  if (entry.why) item.append(element("span", with_cards(entry.why), "why"));
  return item;
}

// --- the table ----------------------------------------------------------------------------------------

// In a narrow window, every panel is a separate picture, so that nothing is cropped or too small.
function show_table() {
  const { title, top, width, height, panels } = shown().table;
  const is_narrow = matchMedia("(max-width: 700px)").matches;
  if (is_narrow) {
    const pictures = panels.map((panel) => picture(panel, [panel]));
    find("table").replaceChildren(...pictures.flat());
  } else {
    find("table").replaceChildren(picture({ x: 0, y: top, width, height }, panels));
  }
  find("table").setAttribute("aria-label", title);
  for (const place of find("table").querySelectorAll("[data-target]")) {
    place.classList.toggle("choosable", choices_at([place.dataset.target]).length > 0);
  }
}

function picture(view, panels) {
  const made = document.createElement("div");
  const [x, y, width, height] = [view.x - 2, view.y - 2, view.width + 4, view.height + 4];
  const parts = panels.map(({ svg, changed, ...box }) => svg + (changed ? outline(box) : ""));
  made.className = view.width > 500 ? "wide" : view.width > 250 ? "middle" : "small";
  made.innerHTML = `<svg viewBox="${x} ${y} ${width} ${height}" aria-hidden="true" ` +
    `font-family="'DejaVu Sans', Verdana, sans-serif">${parts.join("")}</svg>`;
  return made;
}

function outline({ x, y, width, height }) {
  return `<rect class="changed" x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="none"/>`;
}

function choices_at(targets) {
  const buttons = [...find("choices").querySelectorAll("button")];
  return buttons.filter((button) => targets.every((target) => button.targets.includes(target)));
}

// The first click on a card or place shows its choices; a second click makes the choice if there is only one.
function point(event) {
  const target = event.target.closest("[data-target]:is(.choosable, .pointed)")?.dataset.target;
  if (!target) return;
  const is_again = pointed_at.includes(target);
  const both = choices_at([...pointed_at, target]);
  if (is_again && both.length === 1) {
    both[0].click();
    return;
  }
  pointed_at = both.length ? [...new Set([...pointed_at, target])] : [target];
  const found = choices_at(pointed_at);
  for (const button of find("choices").querySelectorAll("button")) {
    button.classList.toggle("pointed", found.includes(button));
  }
  for (const place of find("table").querySelectorAll("[data-target]")) {
    place.classList.toggle("pointed", pointed_at.includes(place.dataset.target));
  }
  found[0].focus();
}

function show_places() {
  find("words").replaceChildren(...shown().words.map((sentence) => element("li", sentence)));
  find("cards").replaceChildren(...shown().places.flatMap(([place, cards]) => [
    element("dt", place), element("dd", with_cards(cards.join(", "))),
  ]));
}

function show_end() {
  const rows = state.points.map(({ seat, total, parts, wins }) => element("tr", [
    element("th", wins ? `${seat} ★ wins` : seat),
    element("td", String(total), "total"),
    element("td", parts.map(([words, points]) => `${words}: ${points}`).join(" · ")),
  ]));
  find("end").replaceChildren(...rows.length ? [element("table", rows)] : []);
  find("again").hidden = !state.over;
  find("costly").hidden = !state.ended;
}

// --- texts of cards ---------------------------------------------------------------------------------

function with_cards(words) {
  return words.split(names).map((part) => {
    if (!(part in texts)) return part;
    const card = element("span", part, "card");
    card.dataset.text = texts[part];
    return card;
  });
}

function show_text(event) {
  const over = event.target.closest?.("[data-text]");
  if (!over || !over.dataset.text) return hide_text();
  const box = over.getBoundingClientRect(), text = find("text");
  text.textContent = over.dataset.text;
  text.hidden = false;
  const below = box.bottom + 6 + text.offsetHeight < innerHeight;
  text.style.top = `${below ? box.bottom + 6 : Math.max(4, box.top - 6 - text.offsetHeight)}px`;
  text.style.left = `${Math.max(4, Math.min(box.left, innerWidth - text.offsetWidth - 4))}px`;
}

function hide_text() {
  find("text").hidden = true;
}

// --- a new game and the rules ------------------------------------------------------------------------

async function open_new() {
  const offer = await ask("new");
  find("refused").textContent = "";
  find("fields").replaceChildren(...offer.fields.map(field));
  find("new").showModal();
}

function field({ name, label, help, choices, value }) {
  const made = document.createElement(choices ? "select" : "input");
  made.id = `setting-${name}`;
  made.name = name;
  if (choices) {
    made.append(...choices.map((choice) => new Option(choice.label, JSON.stringify(choice.value))));
    made.value = JSON.stringify(value);
  } else if (typeof value === "boolean") {
    made.type = "checkbox";
    made.checked = value;
  } else {
    made.type = typeof value === "number" ? "number" : "text";
    made.value = value;
  }
  const title = element("label", label);
  title.htmlFor = made.id;
  return element("div", [title, made, element("small", help)], "field");
}

async function start(event) {
  event.preventDefault();
  const settings = {};
  for (const one of find("settings").querySelectorAll("select, input")) {
    if (one.type === "checkbox") settings[one.name] = one.checked;
    else if (one.tagName === "SELECT") settings[one.name] = JSON.parse(one.value);
    else settings[one.name] = one.type === "number" ? Number(one.value) : one.value;
  }
  const problem = await change("new", { settings });
  find("refused").textContent = problem;
  if (!problem) {
    find("new").close();
    wants_focus = true;
    show_choices();
  }
}

async function open_rules() {
  if (!find("rules-text").childElementCount) find("rules-text").innerHTML = await (await fetch("rules")).text();
  find("guided").hidden = !(await ask("new")).guided;
  find("rules").showModal();
  find("rules").scrollTop = 0;
}

// --- beginning --------------------------------------------------------------------------------------

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (document.querySelector("dialog[open]") || event.target.tagName === "INPUT") return;
  if (event.key === "Escape") hide_text();
  if (event.key === "h" && !find("hint").hidden && !find("hint").disabled) advise();
  if (event.key === "u" && !find("undo").hidden) find("undo").click();
  find("choices").querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
}

async function begin() {
  find("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const now = document.documentElement.dataset.theme || dark;
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  });
  find("undo").addEventListener("click", () => change("undo", {}));
  find("hint").addEventListener("click", advise);
  find("rematch").addEventListener("click", () => change("rematch", {}));
  find("open-new").addEventListener("click", open_new);
  find("open-rules").addEventListener("click", open_rules);
  find("close-rules").addEventListener("click", () => find("rules").close());
  find("guided").addEventListener("click", async () => {
    find("rules").close();
    await change("guided", {});
  });
  find("naming").addEventListener("submit", (event) => {
    event.preventDefault();
    change("name", { name: find("own-name").value });
  });
  find("settings").addEventListener("submit", start);
  find("cancel").addEventListener("click", () => find("new").close());
  find("table").addEventListener("click", point);
  matchMedia("(max-width: 700px)").addEventListener("change", show_table);
  for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, show_text);
  document.addEventListener("focusout", hide_text);
  document.addEventListener("scroll", () => show_text({ target: document.activeElement }));
  document.addEventListener("keydown", pressed);
  texts = await ask("cards");
  const cards = Object.keys(texts);
  names = cards.length ? new RegExp(`(${cards.join("|")})\\b`) : /(?!)/; // matches nothing if there are no cards
  show(await ask("state"));
  listen();
}

begin().catch((error) => { find("problem").textContent = `The game cannot be shown: ${error.message}`; });
