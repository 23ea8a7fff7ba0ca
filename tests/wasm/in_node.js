// Run tasks in Node: node in_node.js FOLDER GAME, with one task as JSON on every line of the input.

const fs = require("node:fs");

const [folder, game] = process.argv.slice(2);
(0, eval)(fs.readFileSync(`${__dirname}/tasks.js`, "utf8") + fs.readFileSync(`${folder}/${game}.js`, "utf8")
  + "globalThis.run = (kernels, task) => TASKS[task.name](kernels, task); globalThis.toJson = toJson;");

async function main() {
  const kernels = await globalThis.pocketmars[game](fs.readFileSync(`${folder}/${game}.wasm`));
  for (const name of new Set(Object.values(kernels.tables.networks).flat())) {
    kernels.addNetwork(name, Uint8Array.from(fs.readFileSync(`${folder}/${name}.network`)).buffer);
  }
  for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    console.log(globalThis.toJson(await globalThis.run(kernels, JSON.parse(line))));
  }
}

main();
