import { SOURCE_CONDITION, differences, withoutCondition } from './exports-map.mjs';

/** Every place in a packed manifest that still speaks the workspace's language: `workspace:` and `catalog:` ranges. */
export function leftoverProtocols(manifest, path = '') {
  if (typeof manifest === 'string') return /^(workspace|catalog):/.test(manifest) ? [`${path}: ${manifest}`] : [];
  if (manifest === null || typeof manifest !== 'object') return [];
  return Object.entries(manifest).flatMap(([key, value]) => leftoverProtocols(value, path === '' ? key : `${path}.${key}`));
}

/** What is wrong with a packed manifest, given the one of the workspace; one line each. */
export function manifestProblems(workspaceManifest, packedManifest) {
  const problems = leftoverProtocols(packedManifest);
  for (const field of ['exports', 'imports']) {
    const source = workspaceManifest[field];
    if (source === undefined && packedManifest[field] === undefined) continue;
    problems.push(...differences(withoutCondition(source ?? {}, SOURCE_CONDITION), packedManifest[field] ?? {}, field));
  }
  return problems;
}
