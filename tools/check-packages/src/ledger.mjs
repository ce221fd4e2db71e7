import { CheckFailure, CheckSkipped } from './process.mjs';

/** Keeps and prints the outcome of every check. */
export class Ledger {
  checks = [];

  /** Makes one check; returns what the action returns, undefined when it failed or could not be made. An await-able action is awaited. */
  async check(packageName, title, action) {
    const started = performance.now();
    const entry = { package: packageName, check: title, result: 'passed' };
    let value;
    try {
      value = await action();
    } catch (error) {
      entry.result = error instanceof CheckSkipped ? 'skipped' : 'failed';
      entry.detail = error instanceof CheckFailure || error instanceof CheckSkipped ? error.message : String(error?.stack ?? error);
    }
    entry.seconds = Math.round(performance.now() - started) / 1000;
    this.checks.push(entry);
    console.log(`${entry.result.padEnd(7)} ${packageName}  ${title}  ${entry.seconds.toFixed(1)} s`);
    if (entry.detail !== undefined) console.log(entry.detail.replace(/^/gm, '        '));
    return value;
  }

  /** Whether the last check passed. */
  get lastPassed() {
    return this.checks.at(-1)?.result === 'passed';
  }

  count(result, packageName) {
    return this.checks.filter((entry) => entry.result === result && (packageName === undefined || entry.package === packageName)).length;
  }

  get totalsLine() {
    const skipped = this.count('skipped');
    return `${this.count('passed')} passed, ${this.count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}
