// A module loader that breaks one line of one built file in memory, so that it can be seen that a target notices.
let plant;

export function initialize(given) {
  plant = given;
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!url.endsWith(plant.file)) return loaded;
  const source = String(loaded.source);
  if (source.split(plant.find).length !== 2) throw new Error(`plant: expected "${plant.find}" once in ${plant.file}`);
  return { ...loaded, source: source.replace(plant.find, plant.replace) };
}
