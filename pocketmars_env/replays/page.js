"use strict";
const SECONDS_PER_MOVE = 0.8;
const find = (id) => document.getElementById(id);
let game, view = 0, place = 0, timer = null;

async function unpack() {
  const bytes = Uint8Array.from(atob(find("data").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

function show(position) {
  const { frames, moves } = game.views[view];
  place = Math.max(0, Math.min(position, frames.length - 1));
  const [height, prompt, ...panels] = frames[place];
  find("table").innerHTML =
    `<svg viewBox="0 0 ${game.width} ${height}" role="img" font-family="'DejaVu Sans Condensed', ` +
    `'DejaVu Sans', Verdana, sans-serif"><title></title>${panels.map((n) => game.panels[n]).join("")}</svg>`;
  find("table").querySelector("title").textContent = prompt;
  find("slider").value = place;
  find("place").textContent = `${place} of ${moves.length}`;
  const last = place ? moves[place - 1] : null;
  find("now").textContent = last ? `${place}. ${last[1]}: ${last[2].split("\n")[0]}` : `The beginning. ${game.seats.join(", ")}`;
  for (const item of find("moves").querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
  const item = find(`move-${place}`);
  if (item) {
    item.setAttribute("aria-current", "step");
    const list = find("moves");
    list.scrollTop = item.offsetTop - list.clientHeight / 2;
  }
  for (const curve of document.querySelectorAll(".curve")) {
    const x = Number(curve.dataset.left) + place * Number(curve.dataset.step);
    curve.querySelector(".cursor").setAttribute("transform", `translate(${x} 0)`);
  }
  if (place === frames.length - 1) pause();
}

function place_at(event) {
  const curve = event.currentTarget, box = curve.getBoundingClientRect();
  const x = (event.clientX - box.left) * curve.viewBox.baseVal.width / box.width;
  return Math.round((x - curve.dataset.left) / curve.dataset.step);
}

function list_moves() {
  const items = [];
  let round = null;
  game.views[view].moves.forEach(([of_round, label, words], i) => {
    if (of_round !== round) {
      round = of_round;
      const line = document.createElement("li");
      line.className = "round";
      line.textContent = `Round ${round}`;
      items.push(line);
    }
    const item = document.createElement("li");
    item.id = `move-${i + 1}`;
    const who = document.createElement("b");
    who.textContent = `${i + 1}. ${label}: `;
    item.append(who, words);
    item.addEventListener("click", () => { pause(); show(i + 1); });
    items.push(item);
  });
  find("moves").replaceChildren(...items);
}

function pause() {
  clearInterval(timer);
  timer = null;
  find("play").textContent = "Play";
}

function play() {
  if (timer) return pause();
  if (place === game.views[view].moves.length) show(0);
  timer = setInterval(() => show(place + 1), 1000 * SECONDS_PER_MOVE);
  find("play").textContent = "Pause";
}

const STEPS = {
  first: () => show(0),
  back: () => show(place - 1),
  next: () => show(place + 1),
  last: () => show(Infinity),
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };

function begin(data) {
  game = data;
  find("title").textContent = game.title;
  find("slider").max = game.views[0].moves.length;
  game.views.forEach(({ name }, i) => find("view").add(new Option(name, i)));
  find("view-label").hidden = game.views.length < 2;
  find("view").addEventListener("change", (event) => {
    view = Number(event.target.value);
    list_moves();
    show(place);
  });
  find("slider").addEventListener("input", (event) => { pause(); show(Number(event.target.value)); });
  for (const [id, step] of Object.entries(STEPS)) {
    find(id).addEventListener("click", () => { pause(); step(); });
  }
  find("play").addEventListener("click", play);
  for (const curve of document.querySelectorAll(".curve")) {
    curve.addEventListener("click", (event) => { pause(); show(place_at(event)); });
  }
  for (const button of document.querySelectorAll("[data-place]")) {
    button.addEventListener("click", () => {
      pause();
      show(Number(button.dataset.place));
      find("controls").scrollIntoView();
      find("slider").focus({ preventScroll: true });
    });
  }
  find("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const now = document.documentElement.dataset.theme || dark;
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const scrolls = event.target.tagName === "DIV" && event.target.scrollWidth > event.target.clientWidth;
    if (event.key === " " && !["BUTTON", "SUMMARY"].includes(event.target.tagName)) {
      event.preventDefault();
      play();
    } else if (event.key in KEYS && !scrolls) {
      event.preventDefault();
      pause();
      STEPS[KEYS[event.key]]();
    }
  });
  list_moves();
  show(Number(location.hash.slice(1)) || 0);
}

unpack().then(begin, (error) => { find("now").textContent = `This browser cannot show the page: ${error}`; });
