"use strict";
// The board of Pocket Mars. What the viewer does not know is not drawn, whatever the record contains.

BOARDS.pocket_mars = (() => {
  const HABITATION = 4;
  const FACE_DOWN = 0; // the value of a card that lies face down on a pile
  const SIDES = ["left", "right"];
  const seatsOf = ({ record }) => record.seats.slice(0, record.solo ? 2 : record.players);
  const isDa = ({ record }, seat) => record.solo !== 0 && seat === 1;
  const isKnown = ({ record, seat }, card) => has(record.seats[seat].knows, card) === 1n;
  const suit = ({ tables }, card) => tables.cards[card].suit;
  const pileOf = ({ record }, building) => Array.from(record.pile[building].slice(0, record.pile_size[building]));
  const isDown = ({ record }, card) => has(record.face_down, card) === 1n;
  const asked = ({ record }) => record.to_play;
  const anUnknown = (name) => `${/^[AE]/.test(name) ? "an" : "a"} ${name} card`;

  /** The cards that a seat holds in its hand, without those that it has just drawn or already chosen. */
  function handOf(position, seat) {
    const { record, seat: viewer } = position;
    let cards = record.seats[seat].hand;
    if (asked(position) === seat) cards &= ~record.drawn;
    const chosen = seat === viewer ? record.seats[seat].pending.filter((card) => card >= 0) : [];
    return members(cards).filter((card) => !chosen.includes(card));
  }

  /** The value that a card must exceed so that a colonist may settle. */
  function toBeat(position, { tables }, building) {
    const top = pileOf(position, building).at(-1);
    if (top === undefined) return tables.value_of_buildings;
    return isDown(position, top) ? FACE_DOWN : tables.cards[top].value;
  }

  // --- colonists ----------------------------------------------------------------------------------

  const standing = []; // the place of each colonist, by seat, so that the same piece travels

  /** Return the numbers of the colonists at each place of a seat, with as few moves as possible. */
  function colonistsOf(position, seat) {
    const { earth, ship, star, star2 } = position.record.seats[seat];
    const missing = new Map([["earth", earth], ["ship", ship]]);
    star.forEach((number, building) => missing.set(`star:${building}`, number));
    star2.forEach((number, building) => missing.set(`star2:${building}`, number));
    const take = (place) => missing.set(place, missing.get(place) - 1) && place;
    const total = [...missing.values()].reduce((a, b) => a + b, 0);
    const kept = range(total).map((one) => (missing.get(standing[seat]?.[one]) > 0 ? take(standing[seat][one]) : null));
    standing[seat] = kept.map((place) => place ?? take([...missing.keys()].find((free) => missing.get(free) > 0)));
    return Object.groupBy(range(total), (one) => standing[seat][one]);
  }

  function colonist(position, { tables, names }, seat, number, target) {
    const look = isDa(position, seat) ? tables.seats.length - 1 : seat;
    const mark = isDa(position, seat) ? "DA" : String(seat);
    return tag("span", {
      class: `colonist look-${look}`, "data-piece": `colonist-${seat}-${number}`, "data-target": target,
      "aria-label": `a colonist of ${names[seat]}`,
    }, `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${tables.seats[look].shape}"/></svg>`, tag("b", {}, mark));
  }

  const colonists = (position, context, seat, place, target) =>
    (context.pieces[seat][place] ?? []).map((number) => colonist(position, context, seat, number, target));

  // --- cards --------------------------------------------------------------------------------------

  /** A card as the viewer sees it: `size` is "large" with both texts, or "small". */
  function card(position, context, number, { size = "large", isOpen = false, target, half = "" } = {}) {
    const { tables } = context;
    const { name, top, bottom, suit: color } = tables.cards[number];
    const building = tables.buildings[color];
    if (!isOpen && !isKnown(position, number)) return back(context, color, target);
    return tag("div", {
      class: `card ${size} suit-${color} ${half && `uses-${half}`}`, "data-piece": `card-${number}`,
      "data-target": target === undefined ? `card:${number}` : target, "data-text": size === "small" ? `${name}\ntop: ${top}\nbottom: ${bottom}` : null,
      "aria-label": `${name}. Top: ${top}. Bottom: ${bottom}.`,
    }, tag("header", {}, symbol(building.symbol), tag("b", {}, name.split(" ")[1]), tag("span", {}, name.split(" ")[0])),
    size === "large" && [tag("p", { class: "top" }, capital(top)), tag("p", { class: "bottom" }, capital(bottom))] || "");
  }

  const back = ({ tables }, color, target) => tag("div", {
    class: `card back small suit-${color}`, "data-target": target, "aria-label": `${anUnknown(tables.buildings[color].name)}, face down`,
  }, symbol(tables.buildings[color].symbol));

  const gap = (target, label) => tag("div", { class: "card small gap", "data-target": target, "aria-label": label });

  function prep(position, context, seat) {
    const isOwn = seat === position.seat;
    return tag("div", { class: "prep", "aria-label": "prep module", "data-target": `prep:${seat}` },
      tag("small", {}, isOwn ? "Prep: bottoms count" : "Prep"),
      position.record.seats[seat].prep.map((number, slot) => number < 0
        ? gap(null, "an empty place of the prep module")
        : card(position, context, number, isOwn ? { half: "bottom" } : { size: "small", target: `slot:${seat}:${slot}` })));
  }

  // --- the parts of the board -----------------------------------------------------------------------

  function way(position, context, seat) {
    const { tables } = context;
    const { energy } = position.record.seats[seat];
    const place = (name, label) => tag("div", { class: `place ${name}`, "data-target": `${name}:${seat}`, "aria-label": `${label} of ${context.names[seat]}` },
      symbol(tables.symbols[name]), tag("small", {}, label), colonists(position, context, seat, name, `${name}:${seat}`));
    const cells = range(tables.most_energy + 1).map((cell) => tag("i", { class: cell === energy ? "now" : cell < energy ? "below" : "" }, cell));
    const points = seat === position.seat ? tag("b", { class: "points" }, pointsText(position.scores[seat])) : "";
    return tag("div", { class: "way" }, place("earth", "Earth"), '<span class="arrow" aria-hidden="true">→</span>', place("ship", "Ship"),
      tag("div", { class: "energy", "data-target": `energy:${seat}`, "aria-label": `energy of ${context.names[seat]}: ${energy}` },
        symbol(tables.buildings[2].symbol), tag("small", {}, "Energy"), cells), points);
  }

  function other(position, context, seat) {
    const { record, scores } = position;
    const cards = handOf(position, seat), packet = members(record.seats[seat].packet);
    const classes = ["seat", record.active_seat === seat && "active", asked(position) === seat && "asked"].filter(Boolean);
    return tag("section", { class: classes.join(" "), "data-target": `seat:${seat}`, "aria-label": context.names[seat] },
      tag("h2", {}, colonistMark(position, context, seat), escaped(context.names[seat]), tag("b", { class: "points" }, pointsText(scores[seat]))),
      tag("div", { class: "cards" }, prep(position, context, seat),
        isDa(position, seat) ? "" : tag("div", { class: "backs" }, tag("small", {}, "Hand"), [...cards, ...packet].map((number) => card(position, context, number, { size: "small" })))),
      way(position, context, seat));
  }

  function colonistMark(position, { tables }, seat) {
    const look = isDa(position, seat) ? tables.seats.length - 1 : seat;
    return `<svg class="mark look-${look}" viewBox="0 0 24 24" aria-hidden="true"><path d="${tables.seats[look].shape}"/></svg>`;
  }

  function building(position, context, number) {
    const { tables } = context, { name, ability, symbol: path } = tables.buildings[number];
    const seats = range(seatsOf(position).length), pile = pileOf(position, number), top = pile.at(-1);
    const places = position.record.players > 2 ? 2 : 1;
    const row = (stars, place, number_of) => tag("div", { class: "stars", "data-target": `${place}:${number}`, "aria-label": `${stars} of ${name}` },
      tag("small", {}, stars), seats.map((seat) => colonists(position, context, seat, `${place}:${number}`, `${place}:${number}:${seat}`)),
      number_of ? range(Math.max(0, number_of - seats.reduce((sum, seat) => sum + position.record.seats[seat].star2[number], 0))).map(() => '<i class="free"></i>') : "");
    const isActive = position.record.played >= 0 && suit(context, position.record.played) === number;
    return tag("section", { class: `building suit-${number}${isActive ? " active" : ""}`, "data-target": `building:${number}`, "aria-label": name, "data-text": `${name}: ${ability}` },
      tag("h2", {}, symbol(path), name), tag("p", {}, capital(ability)),
      number === HABITATION ? '<div class="stars none"></div><div class="stars none"></div>' : [row("★★", "star2", places), row("★", "star")],
      tag("div", { class: "pile" }, top === undefined ? gap(null, "no card") : card(position, context, top, { size: "small", isOpen: !isDown(position, top) }),
        tag("small", {}, number === HABITATION ? "" : `beat <b>${toBeat(position, context, number)}</b>`, `<br>${pile.length} card${pile.length === 1 ? "" : "s"}`)));
  }

  function supply(position, context) {
    const { record } = position, discard = Array.from(record.discard.slice(0, record.discard_size));
    const { in_play: inPlay, in_play_size: number } = record;
    const top = record.deck_size ? record.deck[record.deck_size - 1] : null;
    const names = discard.map((one) => context.tables.cards[one].name).reverse().join(", ");
    return tag("section", { class: "supply" },
      tag("div", { "data-target": "deck", "aria-label": `deck of ${record.deck_size} cards` }, tag("small", {}, `Deck ${record.deck_size}`),
        top === null ? gap(null, "the deck is empty") : back(context, suit(context, top))),
      tag("div", { "data-target": "discard", "data-text": names ? `Discard pile: ${names}` : null, "aria-label": `discard pile: ${names || "empty"}` }, tag("small", {}, `Discard ${discard.length}`),
        discard.length ? card(position, context, discard.at(-1), { size: "small", isOpen: true, target: null }) : gap(null, "the discard pile is empty")),
      number ? tag("div", {}, tag("small", {}, "In play"), Array.from(inPlay.slice(0, number)).map((one) => card(position, context, one, { size: "small", isOpen: true }))) : "");
  }

  /** Cards that lie aside for the decision: a packet, two drawn cards, or the discard pile. */
  function tray(position, context) {
    const { record, seat } = position, own = record.seats[seat];
    const show = (label, cards) => cards.length ? tag("div", { class: "tray", tabindex: 0, role: "group", "aria-label": label }, tag("small", {}, label), cards.map((one) => card(position, context, one, { isOpen: true }))) : "";
    if (own.packet) return show("Your packet", members(own.packet));
    if (asked(position) !== seat) return "";
    if (position.decision === "TAKE_DISCARD") return show("The discard pile", members(range(record.discard_size).reduce((cards, i) => cards | (1n << BigInt(record.discard[i])), 0n)));
    return show("Drawn", members(record.drawn));
  }

  function draw(position, context) {
    const { record, seat: viewer } = position, seats = range(seatsOf(position).length);
    const withPieces = { ...context, pieces: seats.map((seat) => colonistsOf(position, seat)) };
    const others = [...seats.slice(viewer + 1), ...seats.slice(0, viewer)];
    const chosen = record.seats[viewer].pending.filter((one) => one >= 0);
    return {
      others: others.map((seat) => other(position, withPieces, seat)).join(""),
      middle: range(5).map((number) => building(position, withPieces, number)).join("") + supply(position, withPieces),
      own: way(position, withPieces, viewer) + tag("div", { class: "cards" },
        tray(position, withPieces),
        tag("div", { class: "hand" }, tag("small", {}, "Hand: tops count"), handOf(position, viewer).map((one) => card(position, withPieces, one, { half: "top" }))),
        prep(position, withPieces, viewer),
        chosen.length ? tag("div", { class: "tray", tabindex: 0, role: "group", "aria-label": "Chosen" }, tag("small", {}, "Chosen"), chosen.map((one) => card(position, withPieces, one, { half: "bottom" }))) : ""),
    };
  }

  // --- clicks -------------------------------------------------------------------------------------

  function path(position, action, context) {
    const { record, decision } = position, me = asked(position), number = seatsOf(position).length;
    const [block, argument] = blockOf(context.tables, action);
    const at = (distance) => (me + distance) % number;
    const slot = () => ({ seat: at((argument >> 1) + 1), place: argument & 1 });
    switch (block) {
      case "PLAY_HAND": return [`card:${argument}`, "discard"];
      case "PLAY_PREP": return [`card:${argument}`, `building:${suit(context, argument)}`];
      case "DISCARD_FOR_ENERGY": return [`card:${argument}`, `energy:${me}`];
      case "LAUNCH": return [`earth:${me}`, `ship:${me}`];
      case "PLAY_OTHER": {
        const { seat, place } = slot();
        return [`slot:${seat}:${place}`, `building:${suit(context, record.seats[seat].prep[place])}`];
      }
      case "SLOT": return [`slot:${slot().seat}:${slot().place}`];
      case "SEAT": return [`seat:${at(argument + 1)}`];
      case "BUILDING": return [`building:${argument}`];
      case "CARD": return [`card:${argument}`, ...({ PREP: [`prep:${me}`], FILL: [`prep:${me}`], PUT_UNDER: ["deck"], DISCARD: ["discard"] }[decision] ?? [])];
      case "SHIFT": {
        const [where, owner, isDown] = [argument >> 3, at((argument >> 1) & 3), argument & 1];
        return isDown ? [`star2:${where}:${owner}`, `star:${where}`] : [`star:${where}:${owner}`, `star2:${where}`];
      }
      case "SWAP": return [`star:${argument >> 4}:${at((argument >> 2) & 3)}`, `star2:${argument >> 4}:${at(argument & 3)}`];
      case "RECALL": return [`${argument & 1 ? "star2" : "star"}:${argument >> 1}:${me}`, `ship:${me}`];
      case "ACCEPT": return ["SETTLE", "SETTLE_MORE", "ABILITY"].includes(decision) && record.played >= 0 ? [`building:${suit(context, record.played)}`] : [];
      default: return [];
    }
  }

  // --- words --------------------------------------------------------------------------------------

  /** Name seats, cards in prep slots and Buildings in the words for an action. */
  function words(position, text, action, context) {
    const { record } = position, number = seatsOf(position).length, me = asked(position);
    const [block, argument] = blockOf(context.tables, action);
    const name = (distance) => context.names[(me + distance) % number];
    if (block === "SLOT" || block === "PLAY_OTHER") {
      const slot = record.seats[(me + (argument >> 1) + 1) % number].prep[argument & 1];
      const known = slot >= 0 && isKnown(position, slot) ? context.tables.cards[slot].name : slot >= 0 ? anUnknown(context.tables.buildings[suit(context, slot)].name) : "a card";
      text = text.replace(/the card in prep slot \d/, `${known} (${SIDES[argument & 1]})`);
    }
    const played = record.played >= 0 ? record.played : record.in_play_size ? record.in_play[0] : -1;
    if (position.decision === "ABILITY" && played >= 0) {
      const { name: where, ability } = context.tables.buildings[suit(context, played)];
      text = text.replace("trigger the Building's ability", `use the ability of ${where}: ${ability}`);
    } else if (position.decision === "BOTTOM" && played >= 0) {
      const { name: what, bottom } = context.tables.cards[played];
      text = text.replace(/trigger the (card's )?bottom action/, `use the bottom of ${what}: ${bottom}`);
    }
    if (played >= 0) text = text.replace(" here", ` in ${context.tables.buildings[suit(context, played)].name}`);
    return text.replace("the seat three places on", name(3)).replace("the seat two places on", name(2)).replace("the next seat", name(1));
  }

  function facts(position, context) {
    const { record, seat: viewer, scores } = position, { tables, names } = context;
    const buildings = tables.buildings.slice(0, HABITATION);
    const listed = (cards) => cards.map((one) => (isKnown(position, one) ? tables.cards[one].name : `${tables.buildings[suit(context, one)].name} card`)).join(", ") || "none";
    const ofSeat = seatsOf(position).flatMap(({ earth, ship, star, star2, energy, prep: slots }, seat) => {
      const owner = seat === viewer ? "" : `${names[seat]}: `, held = handOf(position, seat);
      return [
        [`${owner}points`, scores[seat]], [`${owner}on Earth`, earth], [`${owner}on the Ship`, ship],
        ...buildings.map(({ name }, i) => [`${owner}★ ${name}`, star[i]]), ...buildings.map(({ name }, i) => [`${owner}★★ ${name}`, star2[i]]),
        [`${owner}energy`, energy], [`${owner}cards in hand`, held.length],
        [`${owner}hand`, listed(held), true], [`${owner}prep module`, listed(slots.filter((one) => one >= 0)), true],
      ];
    });
    const piles = tables.buildings.map(({ name }, i) => {
      const top = pileOf(position, i).at(-1);
      return [`pile of ${name}`, top === undefined ? "empty" : isDown(position, top) ? "face down" : tables.cards[top].name];
    });
    const ofTable = [["cards in the deck", record.deck_size], ["discarded cards", record.discard_size], ["round", record.round_number]];
    return [...ofSeat, ...piles, ...ofTable];
  }

  /** The cards of others that the viewer does not know, in one possible world, with their places. */
  function hidden(position, { tables, names }) {
    return seatsOf(position).flatMap(({ prep: slots }, seat) => seat === position.seat ? [] : [
      ...handOf(position, seat).map((one) => [`${names[seat]}'s hand`, one]),
      ...slots.filter((one) => one >= 0).map((one) => [`${names[seat]}'s prep module`, one]),
    ]).filter(([, one]) => !isKnown(position, one)).map(([place, one]) => [place, tables.cards[one].name]);
  }

  function summary(position, { names }) {
    const { record, scores } = position;
    return [`Round ${record.round_number}`, ...seatsOf(position).map((_, seat) => `${names[seat]} ${scores[seat]}`)].join(" · ");
  }

  /** The points of each seat, by source; see `SOURCES` in points.py. */
  function points(position, { tables }) {
    const { record, scores } = position, seats = seatsOf(position), sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
    return seats.map(({ ship, star, star2, energy }, seat) => {
      const colonists = Array.from(star.slice(0, HABITATION), (low, i) => low + star2[i]);
      const numbers = [ship, sum(Array.from(star)), sum(Array.from(star2)), Number(colonists.every(Boolean)),
        Number(Math.max(...colonists) >= tables.bonus_colonists), Number(energy === Math.max(...seats.map((one) => one.energy))), record.handicap];
      const parts = tables.points.map(([text, ...each], i) => [text.replace("{}", numbers[i]), each[Number(isDa(position, seat))] * numbers[i]]);
      return { total: pointsText(scores[seat]), parts: parts.filter(([, number]) => number) };
    });
  }

  /** Why the game has ended. */
  function ending(position, { tables: { endings } }) {
    const { truncated, solo } = position.record;
    const haveAll = seatsOf(position).some(({ earth, ship }) => earth + ship === 0);
    return haveAll ? endings.ALL_SETTLED : truncated || !solo ? endings.ROUND_LIMIT : endings.DA_MODULE_EMPTY;
  }

  return { draw, path, words, facts, hidden, summary, points, ending };
})();
