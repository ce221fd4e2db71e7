import { PEERS } from './expectations.ts';
import type { Peer } from './expectations.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Family, Role } from './stage.ts';

/** One pairing that is to be played. */
export interface PlanEntry {
  readonly peer: Peer;
  /** What our side plays. */
  readonly role: Role;
  readonly family: Family;
  /** Key of {@link SCENARIOS}. */
  readonly scenario: string;
}

/** Every pairing: each peer, in both roles, over both families, in each scenario. */
export function makePlan(peers: readonly Peer[] = PEERS): PlanEntry[] {
  const plan: PlanEntry[] = [];
  for (const peer of peers) {
    for (const role of ['server', 'client'] as const) {
      for (const scenario of Object.keys(SCENARIOS)) {
        for (const family of ['ipv4', 'ipv6'] as const) plan.push({ peer, role, family, scenario });
      }
    }
  }
  return plan;
}
