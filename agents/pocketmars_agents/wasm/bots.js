// The bots. `bots.py` lists their entry points and makes their tables.

const ROOT = 1n; // the same as in search_tree.py
const CHUNK_MS = 10;

/** Load a network file, given as an ArrayBuffer, under the name of its policy. */
Kernels.prototype.addNetwork = function (name, buffer) {
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const description = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, start - 4)));
  const content = new Uint8Array(buffer, start);
  this.networks = { ...this.networks, [name]: { ...this.made(description, content), description, content } };
};

/** Return a loaded network that has forgotten the positions of earlier searches. */
Kernels.prototype.network = function (name) {
  const network = this.networks?.[name];
  if (!network) throw new RangeError(`load the network ${name} first`);
  fill(network.activations, network.description.activations, network.content);
  return network;
};

/**
 * Choose an action for the seat to play, using only what this seat knows.
 *
 * The budget is a number of `determinizations` for greedy and planner, and of `simulations` or `seconds` for ismcts and
 * puct, which search only one `action` if it is given. The bot "policy" plays the best action of a `network`. The result has the legal `actions`, the chosen one
 * (`action`), and for each legal action a `value` (the win probability), `visits` or `logits`.
 */
Kernels.prototype.choose = function (position, bot, budget = {}, seed = randomSeed()) {
  const view = position.view(position.toPlay);
  const actions = view.legal;
  if (bot === "random") return { actions, action: actions[Number(seed % BigInt(actions.length))] };
  if (bot === "greedy" || bot === "planner") return this.lookAhead(view, actions, bot, budget, seed);
  if (bot !== "policy") return this.search(view, actions, bot, budget, seed);
  const { logits } = this.evaluate(view, budget.network);
  return { actions, logits, action: actions[best(logits)] };
};

/** Return a network's logits of the legal actions, and the expected final reward of the seat to play. */
Kernels.prototype.evaluate = function (view, name = this.tables.networks[view.config][0]) {
  const { mlp, activations } = this.network(name);
  const { value, logits } = this.tables.one;
  const { observation, mask } = this;
  view.observe(view.toPlay);
  const rows = [row(observation), row(mask)];
  this.call("evaluate_all", rows, mlp, activations, logits, value);
  return { logits: view.legal.map((action) => logits.values[action]), value: value.values[0] };
};

Kernels.prototype.lookAhead = function (view, actions, bot, budget, seed) {
  const { one, line, budgets, weights } = this.tables;
  const { determinizations = budgets[bot] } = budget;
  one.seat.values[0] = BigInt(view.toPlay);
  one.seed.values[0] = seed;
  const rest = [weights[view.config], line, one.values, one.action];
  const states = view.inMemory().first(1);
  this.call("look_ahead_best_actions", states, one.seat, one.seed, determinizations, bot === "planner", rest);
  const values = Array.from(one.values.values.subarray(0, actions.length), (sum) => sum / determinizations);
  return { actions, values, action: Number(one.action.values[0]) };
};

/** Return the part of the tree that Python allocates for a budget, because results depend on its size. */
Kernels.prototype.treeFor = function (simulations) {
  const { edges, used, ...rest } = this.tables.tree;
  const most = Math.min(used.shape[0], NUM_ACTIONS + this.tables.edges_per_simulation * simulations);
  return { edges: edges.first(2 ** Math.ceil(Math.log2(2 * most))), used: used.first(most), ...rest };
};

Kernels.prototype.search = function (view, actions, bot, { simulations, seconds, action = -1 }, seed) {
  const { scratch, settings, weights, leaves, budgets, chunk } = this.tables;
  const most = seconds ? Infinity : simulations ?? budgets[bot];
  const tree = this.treeFor(most);
  this.call("search_tree_clear_tree", tree);
  const used = [{ ...settings[bot], root_action: action }, weights[view.config]];
  if (bot === "puct") {
    const networks = this.tables.networks[view.config].map((name) => this.network(name));
    used.push(networks.map(({ mlp }) => mlp), networks.map(({ activations }) => activations), tree, leaves);
  } else {
    used.push(tree);
  }
  const start = performance.now();
  let made = 0;
  while (actions.length > 1 && made < most) {
    const passed = performance.now() - start;
    if (made && seconds && passed >= 1000 * seconds) break;
    const number = seconds ? Math.max(1, Math.floor((made / passed) * CHUNK_MS) || 1) : Math.min(chunk, most - made);
    this.call(`${bot}_simulate`, view.inMemory().first(1), view.toPlay, seed, number, used, scratch[bot]);
    made += number;
  }
  return this.atRoot(actions, bot, tree);
};

/** Return the values, visits and priors of the actions at the root of the search tree, and the most visited action. */
Kernels.prototype.atRoot = function (actions, bot, tree) {
  const { edge, settings } = this.tables;
  const edges = this.tables.edges.first(actions.length);
  this.actions.values.set(actions.map(BigInt));
  this.call("search_tree_read_node", ROOT, this.actions.first(actions.length), tree, edges);
  const bytes = edges.values.slice();
  const found = read(edge, new DataView(bytes.buffer), 0, [actions.length]);
  const extra = settings[bot].prior_weight ?? 0;
  const values = found.map(({ prior, total, visits }) => (extra * prior + total) / (extra + visits || 1));
  const visits = found.map((one) => one.visits);
  const most = Math.max(...visits);
  const action = actions[best(values.map((value, i) => (visits[i] === most ? value : -Infinity)))];
  return { actions, action, values, visits, priors: found.map(({ prior }) => prior) };
};

const row = (array) => new KernelArray(array.memory, array.dtype, [1, ...array.shape], array.pointer);
const best = (numbers) => numbers.indexOf(Math.max(...numbers));
const randomSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0];
