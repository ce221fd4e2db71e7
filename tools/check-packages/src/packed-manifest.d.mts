export function leftoverProtocols(manifest: unknown, path?: string): string[];
export function manifestProblems(workspaceManifest: object, packedManifest: object): string[];
