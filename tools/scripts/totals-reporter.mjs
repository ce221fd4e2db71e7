import { writeFileSync } from 'node:fs';

/** Prints `N passed, N failed[, N skipped]` as the last line of a run, and the same as JSON into the file named by TOTALS_FILE. */
export default class TotalsReporter {
  onTestRunEnd(modules, errors) {
    const totals = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') totals.passed++;
        else if (state === 'failed') failedHere++;
        else totals.skipped++;
      }
      if (failedHere === 0 && module.state() === 'failed') failedHere = 1;
      totals.failed += failedHere;
    }
    if (process.env.TOTALS_FILE) writeFileSync(process.env.TOTALS_FILE, JSON.stringify(totals));
    const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
    console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
  }
}
