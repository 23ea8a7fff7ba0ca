"use strict";
const KEYS = "123456789abcdefgijklmnopqrstvwxyz"; // without h (hint) and u (take back)
const SECONDS_BETWEEN_TRIES = 2;

const find = (id) => document.getElementById(id);
let state = null, texts = {}, names = null, told = 0;

// --- asking the server ------------------------------------------------------------------------------

async function ask(path, data) {
  const request = data && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data),
  };
  const response = await fetch(path, request);
  if (response.ok || response.status === 409) return response.json();
  throw new Error(`the server returned status ${response.status}`);
}

async function change(path, data) {
  hide_text();
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  try {
    const reply = await ask(path, { version: state.version, ...data });
    if (reply.error) show(await ask("state")); else show(reply);
    find("problem").textContent = reply.error || "";
  } catch (error) {
    find("problem").textContent = `This did not reach the game: ${error.message}`;
  }
  for (const button of document.querySelectorAll("button")) button.disabled = false;
}

async function advise() {
  const { version } = state;
  find("hint").disabled = true;
  find("advice").textContent = "thinking …";
  try {
    const hint = await ask("hint");
    if (version !== state.version) return;
    find("problem").textContent = hint.error || "";
    find("advice").textContent = hint.error ? "" : `${hint.by} would: ${hint.words}` + (hint.value && ` (${hint.value})`);
    for (const button of find("choices").querySelectorAll("button")) {
      button.classList.toggle("advised", Number(button.dataset.action) === hint.action);
    }
  } catch (error) {
    find("advice").textContent = "";
    find("problem").textContent = `No hint: ${error.message}`;
  } finally {
    find("hint").disabled = false;
  }
}

async function listen() {
  for (;;) {
    try {
      const news = await ask(`state?after=${state.stamp}`);
      if (news.stamp !== state.stamp) show(news);
      if (find("about").dataset.lost) about();
    } catch {
      find("about").dataset.lost = "yes";
      find("about").textContent = "The game's program cannot be reached; this page tries again.";
      await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS_BETWEEN_TRIES));
    }
  }
}

// --- showing ----------------------------------------------------------------------------------------

// Replies and news come by different ways, and may overtake each other. A game that is kept stays kept.
function is_old(next) {
  return next.version < state.version || (next.version === state.version && state.replay && !next.replay);
}

function show(next) {
  if (state && is_old(next)) return;
  const is_new = !state || next.version !== state.version;
  state = next;
  document.title = `${state.to_play ? "● " : ""}${document.querySelector("h1").textContent}: ${state.seat}`;
  find("title").textContent = `${state.title} · you are ${state.seat}`;
  find("prompt").textContent = state.prompt;
  find("detail").replaceChildren(...with_cards(state.detail));
  find("turn").classList.toggle("to-play", state.to_play);
  find("notice").textContent = state.notice;
  find("undo").hidden = !state.undo;
  find("hint").hidden = !state.hints || !state.to_play;
  if (is_new) {
    find("advice").textContent = "";
    find("problem").textContent = "";
    find("table").innerHTML = state.table;
    show_choices();
    show_log();
    show_places();
    show_end();
  }
  if (state.trouble) find("problem").textContent = `The game is not kept: ${state.trouble}`;
  about();
}

function about() {
  const kept = state.replay ? ` · the replay is in ${state.replay}` : "";
  delete find("about").dataset.lost;
  find("about").textContent = `${state.seats.join(", ")} · keys: the choices' own` +
    `${state.hints ? ", h hint" : ""}${state.undo ? ", u take back" : ""}${kept}`;
}

function element(name, content, className) {
  const made = document.createElement(name);
  made.append(...[].concat(content));
  if (className) made.className = className;
  return made;
}

function show_choices() {
  const groups = new Map();
  state.choices.forEach((choice, i) => {
    const { heading } = choice;
    if (!groups.has(heading)) groups.set(heading, heading_group(heading));
    groups.get(heading).append(choice_button(choice, KEYS[i] || ""));
  });
  const had_focus = find("choices").contains(document.activeElement);
  find("choices").replaceChildren(...groups.values());
  if (had_focus) find("choices").querySelector("button")?.focus();
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
  if (choice.text) button.setAttribute("aria-description", choice.text);
  button.addEventListener("click", () => change("action", { action: choice.action }));
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
    const who = entry.seat ? [element("b", entry.seat), ": "] : [];
    const item = element("li", [...who, ...with_cards(entry.words)], i >= told ? "new" : "");
    if (entry.why) item.append(element("span", with_cards(entry.why), "why"));
    items.push(item);
  });
  told = state.log.length;
  find("log").replaceChildren(...items);
  find("log").scrollTop = find("log").scrollHeight;
}

function show_places() {
  find("cards").replaceChildren(...state.places.flatMap(([place, cards]) => [
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

// --- beginning --------------------------------------------------------------------------------------

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "Escape") hide_text();
  if (event.key === "h" && !find("hint").hidden && !find("hint").disabled) advise();
  if (event.key === "u" && !find("undo").hidden && !find("undo").disabled) find("undo").click();
  const button = find("choices").querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button && !button.disabled) button.click();
}

async function begin() {
  find("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const now = document.documentElement.dataset.theme || dark;
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  });
  find("undo").addEventListener("click", () => change("undo", {}));
  find("hint").addEventListener("click", advise);
  for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, show_text);
  document.addEventListener("focusout", hide_text);
  document.addEventListener("scroll", () => show_text({ target: document.activeElement }));
  document.addEventListener("keydown", pressed);
  texts = await ask("cards");
  const cards = Object.keys(texts);
  names = cards.length ? new RegExp(`(${cards.join("|")})\\b`) : /(?!)/; // without cards nothing is found
  show(await ask("state"));
  listen();
}

begin().catch((error) => { find("problem").textContent = `The game cannot be shown: ${error.message}`; });
