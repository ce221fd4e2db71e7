import { ReliableError } from '@x/reliable';
import { Fnv1a32 } from '@x/testkit';
import { expectSame, expectSameBytes, readBytes } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { Fields } from '../fields.ts';
import type { CaseReplayer } from '../group.ts';
import { ScenarioEndpoint, expectState, expectStats, readConfig } from './endpoint.ts';
import { replayExchange } from './exchange.ts';
import { pattern, readPayload } from './payload.ts';
import { expectRefusal } from './refusal.ts';

/** Scripts for two endpoints: every datagram, delivery, counter, ack and estimate. */
export const replayScenario: CaseReplayer = objectCase((fields) => {
  fields.text('name');
  fields.text('note');
  const time = fields.number('startTime');
  const { a, b } = fields.object('config', (config) => ({
    a: new ScenarioEndpoint(config.object('a', readConfig), time),
    b: new ScenarioEndpoint(config.object('b', readConfig), time),
  }));
  /** Datagrams of `send` steps of both endpoints, in order. */
  const datagrams: Uint8Array[] = [];
  fields.each('steps', (step) => {
    const ep = step.text('ep');
    if (ep !== 'a' && ep !== 'b') throw new Error(`${step.at('ep')}: ${ep} is unknown`);
    const [own, peer] = ep === 'a' ? [a, b] : [b, a];
    const op = step.text('op');
    switch (op) {
      case 'send':
        datagrams.push(...send(step, own));
        break;
      case 'recv':
        receive(step, own, datagrams);
        break;
      case 'update':
        own.endpoint.update(step.number('time'));
        expectStats(step, 'stats', own);
        return;
      case 'clearAcks':
        own.endpoint.clearAcks();
        break;
      case 'reset':
        own.endpoint.reset();
        expectStats(step, 'stats', own);
        break;
      case 'burst':
        burst(step, own, peer);
        break;
      case 'exchange':
        replayExchange(step, a, b);
        return;
      default:
        throw new Error(`${step.at('op')}: ${op} is unknown`);
    }
    expectState(step, own);
  });
});

function send(step: Fields, at: ScenarioEndpoint): Uint8Array[] {
  const payload = readPayload(step.raw('payload'), step.at('payload'));
  let refused: string | undefined;
  try {
    at.endpoint.send(payload);
  } catch (error) {
    if (!ReliableError.is(error) || error.kind !== 'packetTooLarge') throw error;
    refused = 'send-too-large';
  }
  expectSame(step.at('refused'), refused, step.has('refused') ? step.text('refused') : undefined);
  const transmitted = at.takeTransmitted();
  step.expectByteStrings('tx', transmitted);
  return transmitted;
}

function receive(step: Fields, at: ScenarioEndpoint, datagrams: readonly Uint8Array[]): void {
  const isReference = step.has('ref');
  const datagram = isReference ? datagrams[step.number('ref')] : readBytes(step.raw('data'), step.at('data'));
  if (datagram === undefined) throw new Error(`${step.at('ref')}: there is no such datagram`);
  at.accepts = step.has('accept') ? step.boolean('accept') : true;
  const before = at.counters();
  at.endpoint.receive(datagram);
  const delivered = at.takeDelivered();
  const expected = step.each('delivered', (each) => ({
    sequence: each.number('sequence'),
    payload: readPayload(each.raw('payload'), each.at('payload')),
  }));
  for (const [i, { sequence, payload }] of expected.slice(0, delivered.length).entries()) {
    expectSame(`${step.at('delivered')}[${i}].sequence`, delivered[i]!.sequence, sequence);
    expectSameBytes(`${step.at('delivered')}[${i}].payload`, delivered[i]!.payload, payload);
  }
  expectSame(`length of ${step.at('delivered')}`, delivered.length, expected.length);
  expectRefusal(step, { before, after: at.counters(), delivered: delivered.length, isAccepted: at.accepts });
  expectSame(`transmitted by ${step.path}`, at.takeTransmitted().length, 0);
}

function burst(step: Fields, own: ScenarioEndpoint, peer: ScenarioEndpoint): void {
  const count = step.number('count');
  const length = step.number('len');
  const fnv = new Fnv1a32();
  const delivers = step.boolean('deliver');
  peer.accepts = true;
  own.onTransmit = (datagram) => {
    fnv.add(datagram);
    if (delivers) peer.endpoint.receive(datagram);
  };
  for (let k = 0; k < count; k++) {
    own.endpoint.send(pattern(length, k));
    own.takeTransmitted();
    peer.takeDelivered();
  }
  own.onTransmit = () => undefined;
  step.expectNumber('fnv', fnv.value);
  step.expectNumbers('peerCounters', peer.counters());
}
