// Processes of a bench: a child on a core of its own where the system allows, talking JSON lines, and the CPU time that the system counts for it.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';

const canPin = (() => {
  if (availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** CPU seconds of a process and its threads since it started, to the nanosecond; `undefined` where the system does not tell. */
export function cpuSeconds(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return (
      threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e9
    );
  } catch {
    return undefined;
  }
}

/**
 * Starts a child that writes one JSON object per line. `core` is the core it is pinned to, where that is possible. `request(command)` writes one
 * object and gives the next line of the answer; `stop()` ends the child.
 */
export function startProcess(command, args, { core } = {}) {
  const [program, programArgs] = canPin && core !== undefined ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
  const child = spawn(program, programArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = [];
  const lines = [];
  const settle = () => {
    while (waiting.length > 0 && lines.length > 0) waiting.shift().resolve(lines.shift());
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    settle();
  });
  const exited = new Promise((resolveExit) => {
    child.on('error', (error) => fail(error));
    child.on('exit', (code) => {
      fail(new Error(`${command} ended with status ${code}`));
      resolveExit();
    });
  });
  const fail = (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  const nextLine = () =>
    new Promise((resolveLine, reject) => {
      waiting.push({ resolve: resolveLine, reject });
      if (child.exitCode !== null) fail(new Error(`${command} has ended`));
      settle();
    });
  return {
    pid: child.pid,
    nextLine,
    request(command_) {
      child.stdin.write(`${JSON.stringify(command_)}\n`);
      return nextLine();
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await exited;
      clearTimeout(timer);
    },
  };
}
