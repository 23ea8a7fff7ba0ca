"use strict";
// The board of Project Mars. What the viewer does not know is not drawn, whatever the record contains.

BOARDS.project_mars = (() => {
  const [LANES, SLOTS, NONE, ROUNDS, WINS] = [4, 8, -1, 3, 2];
  const FEW = 3; // so few cards have room beside the name of their owner
  const SYMBOLS = {
    OFFENSE: "M12 2 21 12h-5v9H8v-9H3z",
    GUARDIAN: "M12 2 20 5v6c0 5-3.500 9-8 11-4.500-2-8-6-8-11V5z",
    TRAP: "M12 1 15 9 23 12 15 15 12 23 9 15 1 12 9 9z",
    UTILITY: "M14 1 4 14h7l-2 9 11-14h-7z",
  };
  const near = ({ seat }) => seat ?? 0;
  const isOpen = ({ seat: viewer }, seat) => (viewer ?? seat) === seat;
  const listed = (counts) => counts.flatMap((count, type) => Array(count).fill(type));
  const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
  const finished = ({ record }) => record.round_number - 1 + record.over;
  const placeOf = (slot) => `${slot < LANES ? "top" : "bottom"} slot in lane ${(slot % LANES) + 1}`;

  /** The cards in words; null stands for a card that the viewer does not know. */
  function inWords(cards, tables) {
    const names = cards.map((type) => (type === null ? "hidden" : tables.cards[type].name));
    const count = (name) => names.filter((one) => one === name).length;
    return [...new Set(names)].map((name) => (count(name) > 1 ? `${count(name)} ${name}` : name)).join(", ") || "none";
  }

  /** The cards of a zone, such as the hand, as far as the viewer knows them. */
  function cardsOf(position, seat, zone, revealed) {
    const side = position.record.seats[seat];
    if (isOpen(position, seat)) return listed(side[zone]);
    const known = revealed ? listed(side[revealed]) : [];
    return [...known, ...Array(total(side[zone]) - known.length).fill(null)];
  }

  /** The hand or, while new hands are chosen, what is left of the last one. */
  const isKeeping = ({ record }, seat) => total(record.seats[seat].back_hand) > 0;
  const handOf = (position, seat) => isKeeping(position, seat)
    ? cardsOf(position, seat, "back_hand", "back_revealed") : cardsOf(position, seat, "hand", "revealed");

  // --- the fields -----------------------------------------------------------------------------------

  /** The position whose fields are shown: after the game, the one before the fields were cleared. */
  const shown = (position) => (position.over && position.last) || position;

  /** Return a number that the rules derive from the record, which is an entry of the observation. */
  function derived(position, { tables }, piece, seat, index = 0) {
    const { first, size, scale } = tables.observed.pieces[piece];
    return Math.round(position.observed[first + (seat === near(position) ? 0 : size) + index] * scale);
  }

  const winnerOf = (position, context, lane) => [0, 1].find((seat) => derived(position, context, "lane_won", seat, lane));

  /** Return the card in a slot, or null. */
  function placedAt(position, context, seat, slot) {
    const { card, owner, bonus, zeroed, disabled } = position.record.seats[seat];
    if (card[slot] === NONE) return null;
    const { kind, text } = context.tables.cards[card[slot]], isTrap = owner[slot] !== seat;
    const works = derived(position, context, "field_works", seat, slot) === 1;
    const isIdle = !isTrap && !works && text !== "No effect.";
    const marks = [
      isTrap && (owner[slot] === near(position) ? "your trap" : `trap of ${context.names[owner[slot]]}`),
      disabled[slot] && "disabled", zeroed[slot] && "zeroed", bonus[slot] && `bonus +${bonus[slot]}`,
      isIdle && !disabled[slot] && (kind === "TRAP" ? "came back, no effect" : "no effect in this row"),
    ].filter(Boolean);
    return { type: card[slot], owner: owner[slot], power: derived(position, context, "field_power", seat, slot), isTrap, isIdle, marks };
  }

  // --- pieces: copies of a type have no identity, so as few of them as possible move ------------------

  let pieces = []; // of the last drawing: owner, zone, type and key
  let made = 0;

  /** Return a function that takes the keys of the cards on the table, one after the other. */
  function keysOf(position, context) {
    const { record } = position, cards = [], fields = shown(position);
    const add = (owner, zone, types) => types.forEach((type) => cards.push({ owner, zone, type }));
    record.seats.forEach((side, seat) => {
      for (const slot of range(SLOTS)) {
        const one = placedAt(fields, context, seat, slot);
        if (one) add(one.owner, `slot-${seat}-${slot}`, [one.type]);
      }
      add(seat, "hand", handOf(position, seat));
      if (isKeeping(position, seat)) add(seat, "kept", cardsOf(position, seat, "hand", "revealed"));
      add(seat, "utility", side.utility === NONE ? [] : [side.utility]);
      add(seat, "junkyard", listed(side.junkyard));
    });
    if (isPending(position)) add(record.effect_seat, "pending", [record.effect_card]);
    const fits = [
      (one, old) => one.zone === old.zone && one.type === old.type,
      (one, old) => one.type === old.type,
      (one, old) => one.zone !== old.zone && (one.type === null || old.type === null),
    ];
    const free = [...pieces];
    for (const fit of fits) {
      for (const one of cards.filter(({ key }) => !key)) {
        const found = free.findIndex((old) => old.owner === one.owner && fit(one, old));
        if (found >= 0) one.key = free.splice(found, 1)[0].key;
      }
    }
    for (const one of cards) one.key ??= `card-${made++}`;
    pieces = cards;
    const left = [...cards];
    return (owner, zone, type) =>
      left.splice(left.findIndex((one) => one.owner === owner && one.zone === zone && one.type === type), 1)[0].key;
  }

  /** Return whether a triggered trap waits for a decision. */
  const isPending = ({ decision }) => decision === "TRAP" || decision === "COME_BACK";

  // --- cards ----------------------------------------------------------------------------------------

  /** A card that is face up; `size` is "large", "placed" or "small", and `notes` are shown on the card. */
  function card({ tables }, type, { key, target, size = "small", power, notes = [], label = "", look = "" }) {
    const { name, kind, category, subtypes, text, power: printed } = tables.cards[type];
    const line = [category, ...subtypes].join(" · ");
    const about = `${name}${printed === null ? "" : `, PWR ${printed}`}. ${line}. ${text}`;
    return tag("div", {
      class: `mars ${size} ${look} kind-${kind.toLowerCase()}`, "data-piece": key, "data-target": target,
      "data-text": size === "large" ? null : about, "aria-label": [label, ...notes, about].filter(Boolean).join(" "), role: target ? null : "img",
    }, tag("header", {}, symbol(SYMBOLS[kind]), tag("span", {}, name), printed === null ? "" : tag("b", {}, power ?? printed)),
    size === "small" ? "" : [tag("small", {}, line), notes.length ? tag("em", {}, notes.join(" · ")) : "", tag("p", {}, text)]);
  }

  const back = (seat, key = null) => tag("i", { class: `back look-${seat}`, "data-piece": key });

  /** A stack for each type of cards; the copies below the first card are only pieces. */
  const stacks = (context, counts, seen, prefix, keyOf) => counts.map((count, type) => {
    if (!count) return "";
    const below = range(count - 1).map((layer) => tag("i", { "data-piece": keyOf(type), class: `layer-${count - 1 - layer}` }));
    const notes = [seen[type] && `${seen[type] < count ? `${seen[type]} ` : ""}seen by the enemy`].filter(Boolean);
    const number = count > 1 ? tag("b", { class: "count" }, `×${count}`) : "";
    return tag("div", { class: "stack" }, below, card(context, type, { key: keyOf(type), target: `${prefix}:${type}`, size: "large", notes, label: count > 1 ? `${count} cards:` : "" }), number);
  });

  function hand(position, context, keys, seat) {
    const side = position.record.seats[seat], isBack = isKeeping(position, seat), part = (title, ...stack) => [tag("b", { class: "part" }, title), stacks(context, ...stack)];
    const utilities = side.in_deck.map((count, type) => (context.tables.cards[type].kind === "UTILITY" ? count : 0));
    const of = (zone) => (type) => keys(seat, zone, type);
    return tag("div", { class: "hand" },
      isBack ? stacks(context, side.back_hand, side.back_revealed, "card", of("hand")) : stacks(context, side.hand, side.revealed, "card", of("hand")),
      isBack && total(side.hand) ? part("Kept:", side.hand, side.revealed, "kept", of("kept")) : "",
      position.decision === "TAKE" && position.toPlay === seat ? part("In your deck:", utilities, [], "deck", () => null) : "");
  }

  // --- the parts of the board -------------------------------------------------------------------------

  /** The line of a seat: rounds won, hidden cards, the place for UTILITY cards, deck and junkyard. */
  function line(position, context, keys, seat) {
    const { record } = position, { tables, names } = context, side = record.seats[seat], isOwn = seat === near(position);
    const cards = handOf(position, seat), aside = cardsOf(position, seat, "aside"), kept = isKeeping(position, seat) ? cardsOf(position, seat, "hand", "revealed") : [];
    const known = cards.filter((type) => type !== null).length;
    const junk = inWords(listed(side.junkyard), tables), used = side.utility_used && side.utility === NONE;
    const classes = ["line", record.turn_seat === seat && "active", position.toPlay === seat && "asked"].filter(Boolean);
    const note = (label, types) => (types.length ? tag("small", {}, `${label}: ${inWords(types, tables)}`) : "");
    const inHand = (type) => (type === null ? back(seat, keys(seat, "hand", null)) : card(context, type, { key: keys(seat, "hand", type), label: "In hand:" }));
    return tag("section", { class: classes.join(" "), "aria-label": names[seat] },
      tag("h2", {}, tag("i", { class: `dot look-${seat}` }), escaped(names[seat]),
        tag("span", { class: "wins", role: "img", "aria-label": `${side.wins} rounds won`, "data-text": "rounds won" }, "●".repeat(side.wins).padEnd(WINS, "○")),
        side.passed ? tag("b", {}, "has passed") : ""),
      isOwn ? "" : tag("div", { class: known ? `held known${known > FEW ? " many" : ""}` : "held" }, cards.map(inHand), tag("b", {}, cards.length), tag("small", {}, "in hand")),
      isOwn ? "" : note("kept", kept), note("set aside", aside),
      tag("div", { class: `utility${used ? " used" : ""}`, "data-target": `utility:${seat}`, role: "img", "aria-label": `UTILITY of ${names[seat]}: ${used ? "used in this round" : "free"}` },
        side.utility === NONE ? [symbol(SYMBOLS.UTILITY), tag("small", {}, used ? "utility used" : "utility")] : card(context, side.utility, { key: keys(seat, "utility", side.utility) })),
      tag("div", { class: "zone", role: "img", "aria-label": `deck of ${side.deck_size} cards`, "data-text": `Deck: ${side.deck_size} cards. Deck list: ${inWords(listed(side.decklist), tables)}` },
        back(seat), side.deck_size, tag("small", {}, "deck")),
      tag("div", { class: "zone", role: "img", "aria-label": `junkyard: ${junk}`, "data-text": `Junkyard: ${junk}` },
        tag("span", { class: "heap" }, listed(side.junkyard).map((type) => tag("i", { "data-piece": keys(seat, "junkyard", type), class: `kind-${tables.cards[type].kind.toLowerCase()}` }))),
        total(side.junkyard), tag("small", {}, "junkyard")));
  }

  function slot(position, context, keys, seat, number) {
    const { record } = position, one = placedAt(shown(position), context, seat, number);
    const target = `slot:${seat}:${number}`, label = `${context.names[seat]}, ${placeOf(number)}:`;
    const isHere = record.effect_card !== NONE && record.effect_slot === number;
    const isTrapHere = isHere && isPending(position) && seat !== record.effect_seat;
    const trap = isTrapHere ? card(context, record.effect_card, { key: keys(record.effect_seat, "pending", record.effect_card), look: "pending", label: "triggered trap:" }) : "";
    const row = number < LANES ? "OFFENSE" : "GUARDIAN";
    if (!one) {
      return tag("div", { class: `slot empty look-${seat}`, "data-target": target, role: "img", "aria-label": `${label} empty; effects of ${row} cards work here` },
        tag("small", {}, symbol(SYMBOLS[row]), row), trap);
    }
    const look = [one.isTrap && "trap", one.isIdle && "idle", isHere && !isPending(position) && seat === record.effect_seat && "acting"].filter(Boolean).join(" ");
    const key = keys(one.owner, `slot-${seat}-${number}`, one.type);
    return tag("div", { class: "slot" }, card(context, one.type, { key, target, size: "placed", power: one.isTrap ? "–" : one.power, notes: one.marks, label, look }), trap);
  }

  function lane(position, context, number) {
    const me = near(position), winner = winnerOf(position, context, number);
    const [own, other] = [me, 1 - me].map((seat) => derived(position, context, "lane_power", seat, number));
    const isFilled = winner === me ? own <= other : other <= own; // it wins without more PWR
    const [arrow, name, gain] = winner === undefined ? ["=", "even", ""] : [winner === me ? "▼" : "▲", `${context.names[winner]}${isFilled ? ", filled" : ""}`, "+1"];
    return tag("div", { class: `lane ${winner === undefined ? "" : `won look-${winner}`}`, role: "img", "aria-label": `Lane ${number + 1}: PWR ${other} above, ${own} below: ${name} ${gain}` },
      tag("b", {}, other), tag("span", {}, arrow, tag("i", {}, ` ${escaped(name)} `), gain), tag("b", {}, own));
  }

  function totalOf(position, context, seat) {
    const [own, other] = [seat, 1 - seat].map((one) => derived(position, context, "tpr", one));
    return tag("div", { class: `total look-${seat}${own > other ? " ahead" : ""}`, role: "img", "aria-label": `TPR of ${context.names[seat]}: ${own}`, "data-text": "total power rating: the higher TPR wins the round" },
      tag("b", {}, own), tag("small", {}, "TPR"), own > other ? tag("small", {}, `▲ ${own - other} ahead`) : "");
  }

  function draw(position, context) {
    const me = near(position), other = 1 - me, keys = keysOf(position, context), fields = shown(position);
    const row = (seat, first) => range(LANES).map((number) => slot(position, context, keys, seat, first + number));
    return {
      others: line(position, context, keys, other),
      middle: tag("div", { class: "fields" }, totalOf(fields, context, other), row(other, LANES), row(other, 0),
        tag("div", { class: "round" }, `Round ${position.record.round_number}`, position.record.gas ? tag("small", {}, "Toxic Gas") : ""),
        range(LANES).map((number) => lane(fields, context, number)),
        totalOf(fields, context, me), row(me, 0), row(me, LANES)) + line(position, context, keys, me),
      own: hand(position, context, keys, me),
    };
  }

  // --- clicks and words -------------------------------------------------------------------------------

  function path({ toPlay: me, decision }, action, { tables }) {
    const [block, argument] = blockOf(tables, action), [first, number] = [argument >> 3, argument % SLOTS];
    switch (block) {
      case "PLAY": return [`card:${first}`, `slot:${tables.cards[first].kind === "TRAP" ? 1 - me : me}:${number}`];
      case "UTILITY": return [`card:${tables.cards.findIndex(({ kind }) => kind === "UTILITY") + argument}`, `utility:${me}`];
      case "CARD": return [`${decision === "TAKE" ? "deck" : "card"}:${argument}`];
      case "SLOT": return [`slot:${first ? 1 - me : me}:${number}`];
      default: return [];
    }
  }

  /** Name the enemy, and the card in a slot that is chosen. */
  function words({ toPlay: me, record }, text, action, { tables, names, viewer }) {
    const [block, argument] = blockOf(tables, action);
    const chosen = block === "SLOT" ? record.seats[argument >> 3 ? 1 - me : me].card[argument % SLOTS] : NONE;
    const named = chosen === NONE ? text : text.replace(/slot in lane \d/, (place) => `${place} (${tables.cards[chosen].name})`);
    return me === viewer ? named.replace("the enemy's", `${names[1 - me]}'s`) : named.replace("your ", "its own ");
  }

  const resultsOf = ({ record }, number, { names }) => record.seats.map(({ results }, seat) => `${names[seat]} ${results[number]}`).join(", ");

  /** Return the result of a round that ends between two positions. */
  function pause(before, after, context) {
    const number = finished(before);
    return finished(after) > number ? `Round ${number + 1} is over. TPR: ${resultsOf(after, number, context)}` : null;
  }

  function facts(position, context) {
    const { record } = position, { tables, names } = context, me = near(position), seats = [me, 1 - me], fields = shown(position);
    const owner = (seat) => (seat === me ? "" : `${names[seat]}: `);
    const inSlot = (one) => (one ? [tables.cards[one.type].name, ...one.isTrap ? [] : [`PWR ${one.power}`], ...one.marks].join(", ") : "empty");
    const ofSeat = (seat) => {
      const side = record.seats[seat], label = owner(seat), known = (...zone) => inWords(cardsOf(position, seat, ...zone), tables);
      return [
        ...range(SLOTS).map((slot) => [`${label}${placeOf(slot)}`, inSlot(placedAt(fields, context, seat, slot))]),
        [`${label}hand`, known("hand", "revealed"), true], [`${label}revealed`, inWords(listed(side.revealed), tables)],
        [`${label}hand of the last round`, known("back_hand", "back_revealed"), true], [`${label}set aside`, known("aside"), true],
        [`${label}cards in the deck`, side.deck_size], [`${label}junkyard`, inWords(listed(side.junkyard), tables), true],
        [`${label}UTILITY`, side.utility_used ? "used in this round" : "free"], [`${label}has passed`, side.passed ? "yes" : "no"],
      ];
    };
    return [
      ...range(ROUNDS).map((number) => [`TPR in round ${number + 1}`, number < finished(position) ? resultsOf(position, number, context) : "not finished"]),
      ["round", record.round_number], ...seats.map((seat) => [`${owner(seat)}rounds won`, record.seats[seat].wins]),
      ...seats.map((seat) => [`${owner(seat)}TPR`, derived(fields, context, "tpr", seat)]),
      ...range(LANES).flatMap((number) => [
        ...seats.map((seat) => [`${owner(seat)}PWR in lane ${number + 1}`, derived(fields, context, "lane_power", seat, number)]),
        [`lane ${number + 1} is won by`, names[winnerOf(fields, context, number)] ?? "nobody"],
      ]),
      ...seats.flatMap(ofSeat), ["Toxic Gas", record.gas ? "no effect reveals cards" : "no"],
    ];
  }

  function summary(position, context) {
    const me = near(position), { record } = position;
    const each = (numberOf) => [me, 1 - me].map((seat) => `${context.names[seat]} ${numberOf(seat)}`).join(", ");
    return `Round ${record.round_number} · TPR: ${each((seat) => derived(shown(position), context, "tpr", seat))} · rounds won: ${each((seat) => record.seats[seat].wins)}`;
  }

  /** The enemy's cards that the viewer does not know, in one possible world, with their place. */
  function hidden(position, { tables, names }) {
    const enemy = 1 - near(position), { hand, revealed } = position.record.seats[enemy];
    return hand.flatMap((count, type) => (count > revealed[type] ? [[`${names[enemy]}'s hand`, tables.cards[type].name]] : []));
  }

  const points = ({ record }) => record.seats.map(({ wins, results }) => (
    { total: `${wins} round${wins === 1 ? "" : "s"} won`, parts: range(record.round_number).map((number) => [`TPR in round ${number + 1}`, results[number]]) }));
  const ending = (_, { tables }) => tables.ending;

  return { draw, path, words, pause, facts, hidden, summary, points, ending };
})();
