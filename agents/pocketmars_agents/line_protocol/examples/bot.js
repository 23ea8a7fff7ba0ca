// A bot for the line protocol in JavaScript, without dependencies: node bot.js
//
// It prefers actions whose names begin with the earlier entries of ORDER, which is made for Pocket Mars. Among
// equally preferred actions, it chooses at random.
"use strict";

const ORDER = ["ACCEPT", "PLAY_PREP", "PLAY_HAND", "PLAY_OTHER", "LAUNCH", "CARD"];

function rank(action) {
  const place = ORDER.findIndex((kind) => action.name.startsWith(kind));
  return place < 0 ? ORDER.length : place;
}

function choose(decision) {
  const best = Math.min(...decision.legal.map(rank));
  const good = decision.legal.filter((action) => rank(action) === best);
  const seed = BigInt(decision.seed); // 64 bits, too many for a JavaScript number
  return good[Number(seed % BigInt(good.length))].action;
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, name: "example.js", fields: [] });
  if (message.type === "decision") say({ type: "action", id: message.id, action: choose(message) });
  if (message.type === "quit") process.exit(0);
});
