/** The workspace-only export condition, which leads to TypeScript sources. */
export const SOURCE_CONDITION = '@x/source';

/** A copy of an `exports` or `imports` map without one condition, at any depth; what becomes empty disappears. */
export function withoutCondition(map, condition) {
  if (map === null || typeof map !== 'object') return map;
  if (Array.isArray(map)) return map.map((item) => withoutCondition(item, condition));
  return Object.fromEntries(
    Object.entries(map)
      .filter(([key]) => key !== condition)
      .map(([key, target]) => [key, withoutCondition(target, condition)])
      .filter(([, target]) => target === null || typeof target !== 'object' || Object.keys(target).length > 0),
  );
}

/** Where two maps differ, one line each, key order included: the first matching condition wins, so order is meaning. */
export function differences(expected, actual, path = 'exports') {
  const isMap = (value) => value !== null && typeof value === 'object';
  if (!isMap(expected) || !isMap(actual)) {
    return expected === actual ? [] : [`${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  }
  const found = [];
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const name = `${path}["${key}"]`;
    if (!Object.hasOwn(actual, key)) found.push(`${name}: missing`);
    else if (!Object.hasOwn(expected, key)) found.push(`${name}: not in the workspace map`);
    else found.push(...differences(expected[key], actual[key], name));
  }
  if (found.length === 0 && Object.keys(expected).join() !== Object.keys(actual).join()) {
    found.push(`${path}: expected the order ${Object.keys(expected).join(', ')}, got ${Object.keys(actual).join(', ')}`);
  }
  return found;
}

/** The subpaths of an `exports` map that are code: no `package.json`, no data files, no patterns. */
export function codeEntries(map) {
  return Object.entries(map ?? {})
    .filter(([subpath, target]) => !subpath.endsWith('.json') && !subpath.includes('*') && target !== null)
    .map(([subpath]) => subpath);
}

/** What a program writes to import a subpath: `@x/netcode` and `./token` give `@x/netcode/token`. */
export function specifierOf(packageName, subpath) {
  return subpath === '.' ? packageName : `${packageName}/${subpath.slice(2)}`;
}
