"use strict";
// The board of Project Mars. What the viewer does not know is not drawn, whatever the record contains.

BOARDS.project_mars = (() => {
  const [LANES, SLOTS, NONE, ROUNDS] = [4, 8, -1, 3];
  const ROWS = ["attack", "defense"];
  const SYMBOLS = {
    OFFENSE: "M12 2 21 12h-5v9H8v-9H3z",
    GUARDIAN: "M12 2 20 5v6c0 5-3.500 9-8 11-4.500-2-8-6-8-11V5z",
    TRAP: "M12 1 15 9 23 12 15 15 12 23 9 15 1 12 9 9z",
    UTILITY: "M14 1 4 14h7l-2 9 11-14h-7z",
  };
  const kindOf = ({ trap, category }) => (trap ? "TRAP" : category);
  const isOpen = ({ seat: viewer }, seat) => viewer === null || viewer === undefined || viewer === seat;
  const near = ({ seat }) => seat ?? 0;
  const listed = (counts) => Array.from(counts).flatMap((count, type) => Array(count).fill(type));
  const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
  const finished = ({ record }) => record.round_number - 1 + record.over;
  const laneOf = (slot) => `lane ${(slot % LANES) + 1}`;
  const rowOf = (slot) => ROWS[slot >= LANES ? 1 : 0];

  /** The cards in words; null stands for a card that the viewer does not know. */
  function inWords(cards, tables) {
    const names = cards.map((type) => (type === null ? "hidden" : tables.cards[type].name));
    return [...new Set(names)].map((name) => [names.filter((one) => one === name).length, name])
      .map(([count, name]) => (count > 1 ? `${count} ${name}` : name)).join(", ") || "none";
  }

  /** The cards of a zone, such as the hand, as far as the viewer knows them. */
  function cardsOf(position, seat, zone = "hand", revealed = "revealed") {
    const side = position.record.seats[seat];
    if (isOpen(position, seat)) return listed(side[zone]);
    const known = revealed ? listed(side[revealed]) : [];
    return [...known, ...Array(total(side[zone]) - known.length).fill(null)];
  }

  // --- numbers that the rules derive from the record ------------------------------------------------

  /** The position whose fields are shown: after the game, the one before the fields were cleared. */
  const shown = (position) => (position.over && position.last) || position;

  /** Return an entry of the observation; `seat` and `index` are those of the table. */
  function derived(position, { tables }, piece, seat, index = 0) {
    const [first, scale] = tables.observed.pieces[piece];
    const size = piece === "tpr" ? 1 : piece.startsWith("lane") ? LANES : SLOTS;
    return Math.round(position.observed[first + (seat === near(position) ? 0 : size) + index] * scale);
  }

  const winnerOf = (position, context, lane) => [0, 1].find((seat) => derived(position, context, "lane_won", seat, lane)) ?? null;

  /** Return the card in a slot, or null. */
  function placedAt(position, context, seat, slot) {
    const { card, owner, bonus, zeroed, disabled } = position.record.seats[seat], { tables } = context;
    if (card[slot] === NONE) return null;
    const type = tables.cards[card[slot]], power = derived(position, context, "field_power", seat, slot);
    const works = derived(position, context, "field_works", seat, slot) === 1, isTrap = owner[slot] !== seat;
    const marks = [
      isTrap && "enemy trap", disabled[slot] && "disabled", zeroed[slot] && "zeroed", bonus[slot] > 0 && `bonus +${bonus[slot]}`,
      !isTrap && !works && !disabled[slot] && type.text !== "No effect." && (type.trap ? "came back" : "no effect in this row"),
    ].filter(Boolean);
    return { type: card[slot], owner: owner[slot], power, works, isTrap, marks };
  }

  // --- pieces: copies of a type have no identity, so the fewest possible pieces move -------------------

  let pieces = []; // of the last drawing: owner, zone, type and key
  let made = 0;

  /** Give each card a key, if possible that of a card in the last drawing. */
  function keyed(cards) {
    const free = [...pieces];
    const fits = [
      (one, old) => one.zone === old.zone && one.type === old.type,
      (one, old) => one.type === old.type,
      (one, old) => one.zone !== old.zone && (one.type === null || old.type === null),
    ];
    for (const fit of fits) {
      for (const one of cards.filter(({ key }) => !key)) {
        const found = free.findIndex((old) => old.owner === one.owner && fit(one, old));
        if (found >= 0) one.key = free.splice(found, 1)[0].key;
      }
    }
    cards.filter(({ key }) => !key).forEach((one) => { one.key = `card-${made++}`; });
    pieces = cards;
  }

  /** Return a function that takes the keys of the cards one after the other, by owner, zone and type. */
  function keysOf(position, context) {
    const fields = shown(position);
    const cards = [0, 1].flatMap((seat) => {
      const side = position.record.seats[seat], zone = (name, types) => types.map((type) => ({ owner: seat, zone: name, type }));
      const placed = range(SLOTS).flatMap((slot) => {
        const one = placedAt(fields, context, seat, slot);
        return one ? [{ owner: one.owner, zone: `slot-${seat}-${slot}`, type: one.type }] : [];
      });
      return [...placed, ...zone("hand", handOf(position, seat)), ...zone("utility", side.utility === NONE ? [] : [side.utility]),
        ...zone("junkyard", listed(side.junkyard))];
    });
    const { effect_card: type, effect_seat: owner } = position.record;
    if (isPending(position)) cards.push({ owner, zone: "pending", type });
    keyed(cards);
    const left = [...cards];
    return (owner, zone, type) => left.splice(left.findIndex((one) => one.owner === owner && one.zone === zone && one.type === type), 1)[0]?.key;
  }

  /** Return whether a triggered trap waits for a decision. */
  const isPending = ({ decision }) => decision === "TRAP" || decision === "COME_BACK";

  /** The hand or, between rounds, the cards from which the new hand is chosen. */
  const handOf = (position, seat) => total(position.record.seats[seat].back_hand)
    ? cardsOf(position, seat, "back_hand", "back_revealed") : cardsOf(position, seat);

  // --- cards ----------------------------------------------------------------------------------------

  const powerOf = (power) => (power === null ? "" : tag("b", { class: "power" }, power));
  const aboutOf = ({ name, category, subtypes, power, text }) =>
    `${name}${power === null ? "" : `, PWR ${power}`}, ${[category, ...subtypes].join(", ")}. ${text}`;

  /** A card that is face up; `notes` are shown on it. */
  function card(context, type, { key, target, size = "large", power, notes = [], label = "", className = "" }) {
    const one = context.tables.cards[type];
    return tag("div", {
      class: `card ${size} mars kind-${kindOf(one)} ${className}`, "data-piece": key, "data-target": target, "data-text": size === "large" ? null : aboutOf(one),
      "aria-label": [label, aboutOf(one), ...notes].filter(Boolean).join(" "),
    }, tag("header", {}, symbol(SYMBOLS[kindOf(one)]), tag("span", {}, one.name), powerOf(power ?? one.power)),
    size === "small" ? "" : tag("small", {}, [one.trap ? "TRAP" : one.category, ...one.subtypes.filter((name) => name !== "TRAP")].join(" · ")),
    notes.length ? tag("em", {}, notes.join(" · ")) : "",
    size === "small" ? "" : tag("p", {}, one.text));
  }

  /** The copies of a type in a hand as one stack; the copies below the first one are only pieces. */
  function stack(context, keys, seat, type, count, revealed, target, isHand = true) {
    const layers = range(count - 1).map((i) => tag("i", { "data-piece": isHand && keys(seat, "hand", type), style: `--layer: ${count - 1 - i}` }));
    const notes = [count > 1 && `×${count}`, revealed && (revealed === count ? "seen by the enemy" : `${revealed} seen by the enemy`)].filter(Boolean);
    return tag("div", { class: "stack" }, layers, card(context, type, { key: isHand && keys(seat, "hand", type), target, notes }));
  }

  function hand(position, context, keys, seat) {
    const side = position.record.seats[seat], isBack = total(side.back_hand) > 0;
    const counts = isBack ? side.back_hand : side.hand, revealed = isBack ? side.back_revealed : side.revealed;
    const stacks = (cards, prefix) => cards.map((count, type) => (count ? stack(context, keys, seat, type, count, prefix === "card" ? revealed[type] : 0, `${prefix}:${type}`, prefix === "card") : "")).join("");
    const isTaking = position.decision === "TAKE" && position.toPlay === seat;
    const inDeck = isTaking ? side.in_deck.map((count, type) => (context.tables.cards[type].category === "UTILITY" ? count : 0)) : [];
    return tag("div", { class: "hand" }, stacks(counts, "card"),
      isTaking ? tag("h4", {}, "Your deck") + stacks(inDeck, "deck") : "");
  }

  // --- the parts of the board -------------------------------------------------------------------------

  const who = (seat, { names, tables }) => tag("span", { class: "who" },
    tag("i", { class: "seat", style: `background:${tables.seats[seat]}` }), escaped(names[seat]));

  /** The line of a seat: rounds won, hidden cards, piles and the place for UTILITY cards. */
  function line(position, context, keys, seat) {
    const { record } = position, { tables, names } = context, side = record.seats[seat], isOwn = seat === near(position);
    const cards = handOf(position, seat), junk = listed(side.junkyard), aside = total(side.aside), kept = total(side.back_hand) ? listed(side.hand) : [];
    const one = (type) => (type === null
      ? tag("i", { class: "back", style: `--seat:${tables.seats[seat]}`, "data-piece": keys(seat, "hand", null) })
      : card(context, type, { key: keys(seat, "hand", type), size: "small", label: "Revealed:" }));
    const used = side.utility_used && side.utility === NONE;
    return tag("div", { class: `line${record.turn_seat === seat ? " active" : ""}${position.toPlay === seat ? " asked" : ""}` },
      tag("h3", {}, who(seat, context),
        tag("span", { class: "rounds", role: "img", "aria-label": `${side.wins} rounds won` }, "●".repeat(side.wins) + "○".repeat(Math.max(0, 2 - side.wins))),
        side.passed ? tag("b", { class: "passed" }, "has passed") : ""),
      isOwn ? "" : tag("div", { class: "backs", role: "img", "aria-label": `${cards.length} cards in hand: ${inWords(cards, tables)}` }, cards.map(one), tag("small", {}, `${cards.length} in hand`)),
      kept.length || (isOwn && position.decision === "KEEP") ? tag("small", { class: "note" }, `keeps ${isOpen(position, seat) ? inWords(kept, tables) : kept.length}`) : "",
      aside ? tag("small", { class: "note" }, `set aside: ${isOpen(position, seat) ? inWords(listed(side.aside), tables) : aside}`) : "",
      tag("div", { class: "utility", "data-target": `utility:${seat}`, "aria-label": `UTILITY place of ${names[seat]}: ${used ? "used in this round" : "free"}` },
        side.utility === NONE ? [symbol(SYMBOLS.UTILITY), tag("small", {}, used ? "utility used" : "utility")]
          : card(context, side.utility, { key: keys(seat, "utility", side.utility), size: "small" })),
      tag("div", { class: "pile", "data-text": `Deck of ${names[seat]}: ${side.deck_size} cards`, "aria-label": `deck of ${side.deck_size} cards` },
        tag("i", { class: "back", style: `--seat:${tables.seats[seat]}` }), tag("small", {}, `${side.deck_size} deck`)),
      tag("div", { class: "pile junkyard", "data-text": `Junkyard of ${names[seat]}: ${inWords(junk, tables)}`, "aria-label": `junkyard: ${inWords(junk, tables)}` },
        tag("span", { class: "heap" }, junk.map((type) => tag("i", { class: `kind-${kindOf(tables.cards[type])}`, "data-piece": keys(seat, "junkyard", type) }))),
        tag("small", {}, `${junk.length} junk`)));
  }

  function slot(position, context, keys, seat, number) {
    const one = placedAt(shown(position), context, seat, number), { record } = position;
    const place = `${context.names[seat]}, ${rowOf(number)} row, ${laneOf(number)}:`;
    const field = { class: `slot ${rowOf(number)}` }, target = `slot:${seat}:${number}`;
    const acts = record.effect_slot === number && record.effect_card !== NONE;
    const pending = acts && isPending(position) && seat !== record.effect_seat
      ? card(context, record.effect_card, { key: keys(record.effect_seat, "pending", record.effect_card), size: "small", className: "pending", label: "Triggered trap:" }) : "";
    if (!one) {
      const kind = number < LANES ? "OFFENSE" : "GUARDIAN";
      return tag("div", { ...field, class: `${field.class} empty`, "data-target": target, "aria-label": `${place} empty` }, symbol(SYMBOLS[kind]), pending);
    }
    const flags = [one.isTrap ? "trap" : "", one.works ? "" : "idle", acts && !isPending(position) && seat === record.effect_seat ? "acting" : ""].join(" ");
    return tag("div", field, card(context, one.type, {
      key: keys(one.owner, `slot-${seat}-${number}`, one.type), target, size: "placed", power: one.power, notes: one.marks, label: place, className: flags,
    }), pending);
  }

  function lane(position, context, number) {
    const fields = shown(position), me = near(position), winner = winnerOf(fields, context, number);
    const [own, other] = [me, 1 - me].map((seat) => derived(fields, context, "lane_power", seat, number));
    const result = winner === null ? "even" : `${escaped(context.names[winner])} +1`;
    return tag("div", { class: `lane${winner === null ? "" : winner === me ? " mine" : " theirs"}`, role: "img", "aria-label": `Lane ${number + 1}: ${other} above, ${own} below; ${result}` },
      tag("b", {}, other), tag("span", {}, winner === null ? "=" : winner === me ? "▼" : "▲", " ", result), tag("b", {}, own));
  }

  function totalOf(position, context, seat) {
    const own = derived(shown(position), context, "tpr", seat), other = derived(shown(position), context, "tpr", 1 - seat);
    return tag("div", { class: `tpr${own > other ? " ahead" : ""}`, role: "img", "aria-label": `TPR of ${context.names[seat]}: ${own}` },
      tag("b", {}, own), tag("small", {}, "TPR", own > other ? ` +${own - other}` : ""));
  }

  function draw(position, context) {
    const { record } = position, me = near(position), other = 1 - me, keys = keysOf(position, context);
    const row = (seat, first) => range(LANES).map((number) => slot(position, context, keys, seat, first + number));
    return {
      others: line(position, context, keys, other) + (isOpen(position, other) && position.seat == null ? hand(position, context, keys, other) : ""),
      middle: tag("div", { class: "battlefield", style: `--own:${context.tables.seats[me]};--other:${context.tables.seats[other]}` },
        totalOf(position, context, other), row(other, LANES), row(other, 0),
        tag("div", { class: "round" }, `Round ${record.round_number}`, record.gas ? tag("small", {}, "gas: no reveals") : ""),
        range(LANES).map((number) => lane(position, context, number)),
        totalOf(position, context, me), row(me, 0), row(me, LANES)),
      own: line(position, context, keys, me) + hand(position, context, keys, me),
    };
  }

  // --- clicks -----------------------------------------------------------------------------------------

  function path(position, action, { tables }) {
    const { toPlay: me, decision } = position, [block, argument] = blockOf(tables, action);
    const [first, number] = [argument >> 3, argument % SLOTS];
    switch (block) {
      case "PLAY": return [`card:${first}`, `slot:${tables.cards[first].trap ? 1 - me : me}:${number}`];
      case "UTILITY": return [`card:${tables.cards.findIndex(({ category }) => category === "UTILITY") + argument}`, `utility:${me}`];
      case "CARD": return [`${decision === "TAKE" ? "deck" : "card"}:${argument}`];
      case "SLOT": return [`slot:${first ? 1 - me : me}:${number}`];
      default: return [];
    }
  }

  // --- words ------------------------------------------------------------------------------------------

  /** Name the enemy and the card in a chosen slot in the words for an action. */
  function words(position, text, action, { tables, names, viewer }) {
    const { toPlay: me, record } = position, [block, argument] = blockOf(tables, action);
    const chosen = block === "SLOT" ? record.seats[argument >> 3 ? 1 - me : me].card[argument % SLOTS] : NONE;
    const named = me === viewer ? text : text.replace("your ", "its own ");
    return named.replace("the enemy's", `${names[1 - me]}'s`) + (chosen === NONE ? "" : ` (${tables.cards[chosen].name})`);
  }

  function facts(position, context) {
    const { record } = position, { tables, names } = context, me = near(position);
    const owner = (seat) => (seat === me ? "" : `${names[seat]}: `), seats = [me, 1 - me];
    const points = (number) => seats.map((seat) => `${names[seat]} ${record.seats[seat].results[number]}`).join(", ");
    const inSlot = (seat, number) => {
      const one = placedAt(position, context, seat, number);
      return one ? [tables.cards[one.type].name, one.isTrap ? "" : `PWR ${one.power}`, ...one.marks].filter(Boolean).join(", ") : "empty";
    };
    const ofSeat = (seat) => {
      const side = record.seats[seat], label = owner(seat), known = (zone, revealed) => inWords(cardsOf(position, seat, zone, revealed), tables);
      return [
        ...range(SLOTS).map((number) => [`${label}${rowOf(number)} row, ${laneOf(number)}`, inSlot(seat, number)]),
        [`${label}hand`, known("hand", "revealed")], [`${label}hand of the last round`, known("back_hand", "back_revealed")],
        [`${label}set aside`, known("aside", null)], [`${label}cards in the deck`, side.deck_size], [`${label}junkyard`, inWords(listed(side.junkyard), tables)],
        [`${label}UTILITY`, side.utility_used ? "used in this round" : "free"], [`${label}passed`, side.passed ? "yes" : "no"],
      ];
    };
    return [
      ...range(ROUNDS).map((number) => [`TPR in round ${number + 1}`, number < finished(position) ? points(number) : "not finished"]),
      ["round", record.round_number], ...seats.map((seat) => [`${owner(seat)}rounds won`, record.seats[seat].wins]),
      ...seats.map((seat) => [`${owner(seat)}TPR`, derived(position, context, "tpr", seat)]),
      ...range(LANES).flatMap((number) => [
        ...seats.map((seat) => [`${owner(seat)}PWR in lane ${number + 1}`, derived(position, context, "lane_power", seat, number)]),
        [`lane ${number + 1} is won by`, names[winnerOf(position, context, number)] ?? "nobody"],
      ]),
      ...seats.flatMap(ofSeat), ["Toxic Gas", record.gas ? "no card is revealed" : "no"],
    ];
  }

  function summary(position, context) {
    const { record } = position, { names } = context, me = near(position), seats = [me, 1 - me];
    const tpr = seats.map((seat) => `${names[seat]} ${derived(shown(position), context, "tpr", seat)}`).join(", ");
    return `Round ${record.round_number} · TPR: ${tpr} · rounds won: ${seats.map((seat) => record.seats[seat].wins).join(" to ")}`;
  }

  return { draw, path, words, facts, summary };
})();
