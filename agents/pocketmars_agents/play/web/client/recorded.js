"use strict";
// The source of a recorded game, whose positions are in the page.

const source = (() => {
  const { tables, names, moves } = JSON.parse(document.getElementById("recorded").textContent);
  const positionOf = ([text, extra]) =>
    positionFrom(tables, Uint8Array.from(atob(text), (char) => char.charCodeAt(0)), extra);
  const seen = moves.map((ofSeat) => ofSeat.map((move) =>
    ({ ...move, position: positionOf(move.position), end: move.end && positionOf(move.end) })));
  let viewer = 0;

  const self = {
    tables,
    onChange: () => {},
    load() {
      document.body.classList.add("recorded");
      setTimeout(() => parent.go?.()); // the page with two games, when this one is drawn
    },
    state: () => ({ viewer, names, moves: seen[viewer], isOpen: true, canUndo: false, canHint: false }),
    look(seat) {
      viewer = seat;
      self.onChange();
    },
  };
  return self;
})();
