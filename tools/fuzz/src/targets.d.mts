export interface Target {
  name: string;
  maxBytes?: number;
  seeds(): Uint8Array[];
  run(input: Uint8Array): void;
}
export const targetNames: string[];
export function loadTarget(name: string): Promise<Target>;
