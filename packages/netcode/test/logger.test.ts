import { describe, expect, test, vi } from 'vitest';
import { carrierAddress } from '../src/address.ts';
import type { Address } from '../src/address.ts';
import { Hooks } from '../src/internal/hooks.ts';
import { createLogger, LOG_LEVEL_CODES } from '../src/logger.ts';
import type { Logger, LogLevel } from '../src/logger.ts';
import { NetcodeServer } from '../src/server-machine.ts';
import { NetworkSimulator } from '../src/simulator.ts';
import { PRIVATE_KEY, PROTOCOL_ID } from './support/codec-samples.ts';

/** Says one line on each level. */
function sayAll(logger: Logger): void {
  logger.error?.('e');
  logger.warn?.('w');
  logger.info?.('i');
  logger.debug?.('d');
}

function serverWith(logger: Logger | undefined): NetcodeServer {
  const server = new NetcodeServer({
    time: 0,
    simulator: new NetworkSimulator(),
    address: '10.0.0.1:40000',
    protocolId: PROTOCOL_ID,
    privateKey: PRIVATE_KEY,
    logger,
  });
  server.start(4);
  return server;
}

describe('createLogger', () => {
  test.each<[LogLevel, string[]]>([
    ['none', []],
    ['error', ['error: e', 'warning: w']],
    ['info', ['error: e', 'warning: w', 'i']],
    ['debug', ['error: e', 'warning: w', 'i', 'd']],
  ])('when the level is %s, then it prints %j, and the functions of other levels are missing', (level, lines) => {
    const printed: string[] = [];
    const logger = createLogger(level, (line) => printed.push(line));
    sayAll(logger);
    expect(printed).toEqual(lines);
    expect(Object.values(logger)).toHaveLength(lines.length);
  });

  test('when levels are compared with native implementations, then their numbers are 0 to 3', () => {
    expect(LOG_LEVEL_CODES).toEqual({ none: 0, error: 1, info: 2, debug: 3 });
  });

  test('when console or a logger with methods is given, then it is called as a method', () => {
    class Printer {
      readonly lines: string[] = [];
      info(text: string): void {
        this.lines.push(text);
      }
    }
    const printer = new Printer();
    const { log } = new Hooks(printer, undefined);
    log.info('i');
    log.debug('d');
    expect([printer.lines, log.isInfo, log.isDebug]).toEqual([['i'], true, false]);
  });
});

describe('FF-73: hostile traffic does not flood the log', () => {
  const junk = 3000;

  /** Feeds junk from a sender that counts how often its text is built: beyond the one look that checks each sender. */
  function flood(logger: Logger | undefined): { textsBuilt: number; server: NetcodeServer } {
    let looks = 0;
    const real = carrierAddress('memory', 7n);
    const from: Address = Object.freeze({
      ...real,
      get carrier() {
        looks++;
        return 'memory';
      },
    });
    looks = 0;
    const server = serverWith(logger);
    const datagram = new Uint8Array(1078);
    for (let i = 0; i < junk; i++) {
      datagram[0] = i % 3 === 0 ? 0 : 0x15;
      server.processPacket(from, i % 3 === 2 ? datagram.subarray(0, 2) : datagram);
    }
    server.update(0.1);
    return { textsBuilt: looks - junk, server };
  }

  test.each<LogLevel>(['none', 'error', 'info'])(
    'when the level is %s, then no line is printed and no text built per datagram',
    (level) => {
      const printed: string[] = [];
      const { textsBuilt, server } = flood(createLogger(level, (line) => printed.push(line)));
      expect(printed.length).toBe(level === 'info' ? 1 : 0);
      expect(textsBuilt).toBe(0);
      expect([server.counters['request-version'], server.counters['no-read-key']]).toEqual([junk / 3, (2 * junk) / 3]);
    },
  );

  test('when no logger is given, then no text is built', () => {
    expect(flood(undefined).textsBuilt).toBe(0);
  });

  test('when the level is debug, then each ignored datagram has a line with sender and reason', () => {
    const printed: string[] = [];
    const { textsBuilt } = flood(createLogger('debug', (line) => printed.push(line)));
    expect(textsBuilt).toBe(junk);
    expect(printed.filter((line) => line.includes('memory#7') && line.includes('request-version'))).toHaveLength(junk / 3);
    expect(printed.filter((line) => line.includes('memory#7') && line.includes('no-read-key'))).toHaveLength((2 * junk) / 3);
  });
});

describe('a logger that throws', () => {
  function throwing(): Logger {
    const fail = (): never => {
      throw new Error('disk full');
    };
    return { error: fail, warn: fail, info: fail, debug: fail };
  }

  test('when it throws on every line, then onError is told once and the call goes on', () => {
    const onError = vi.fn();
    const { log } = new Hooks(throwing(), onError);
    for (const say of ['error', 'warn', 'info', 'debug'] as const) expect(() => log[say]('text')).not.toThrow();
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: 'disk full' }), 'logger']]);
  });

  test('when there is no onError, or it throws too, then nothing escapes', () => {
    expect(() => new Hooks(throwing(), undefined).log.error('text')).not.toThrow();
    const broken = new Hooks(throwing(), () => {
      throw new Error('also broken');
    });
    expect(() => broken.log.info('text')).not.toThrow();
  });

  test('when other hooks throw, then each source is told once, to the logger when there is no onError', () => {
    const printed: string[] = [];
    const hooks = new Hooks(
      createLogger('error', (line) => printed.push(line)),
      undefined,
    );
    for (const source of ['a', 'b', 'a']) hooks.report(new Error(`of ${source}`), source);
    hooks.report('no error object', 'c');
    expect(printed.map((text) => text.split('\n')[0])).toEqual([
      'error: a threw: Error: of a',
      'error: b threw: Error: of b',
      'error: c threw: no error object',
    ]);
  });
});
