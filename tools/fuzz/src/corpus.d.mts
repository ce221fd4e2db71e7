export function readCorpus(name: string): Uint8Array[];
export function writeCorpus(name: string, inputs: readonly Uint8Array[]): void;
