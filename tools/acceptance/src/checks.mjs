// What the JSON of a test run says about the checks of a suite. A test belongs to a check when its name begins with the id and a colon: `C1: …`. A check
// passes when it has tests and all of them passed.

/** The id and the title that a test's name begins with; undefined for other tests. */
function named(title) {
  const [, id, text] = /^([A-Z]\d+): (.+)$/s.exec(title) ?? [];
  return id === undefined ? undefined : { id, text };
}

/** First line of what a failed test printed, without colours. */
function failureOf(test) {
  // eslint-disable-next-line no-control-regex
  const [line = ''] = (test.failureMessages?.[0] ?? '').replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n');
  return `${test.title}: ${line || 'failed'}`;
}

function checkOf(id, given, tests) {
  const title = given ?? (tests[0] === undefined ? '' : named(tests[0].title).text);
  const failed = tests.filter(({ status }) => status === 'failed');
  const passed = tests.filter(({ status }) => status === 'passed');
  if (tests.length === 0) return { id, title, result: 'failed', detail: 'no test has this id' };
  if (failed.length > 0) return { id, title, result: 'failed', detail: failureOf(failed[0]) };
  if (passed.length === 0) return { id, title, result: 'skipped', detail: `none of its ${tests.length} tests ran` };
  if (passed.length < tests.length) return { id, title, result: 'passed', detail: `${passed.length} of ${tests.length} tests ran` };
  return { id, title, result: 'passed' };
}

/**
 * The checks of a suite, in order, each with the number of its tests.
 *
 * @param titles - by id; undefined for the name of the first test.
 * @param reports - what vitest's JSON reporter wrote.
 */
export function checksOf(titles, reports) {
  const tests = reports.flatMap(({ testResults }) => testResults).flatMap(({ assertionResults }) => assertionResults);
  return Object.entries(titles).map(([id, title]) => {
    const own = tests.filter(({ title }) => named(title)?.id === id);
    return { ...checkOf(id, title, own), tests: own.length };
  });
}

/** Files that could not be run at all: their tests are not in the report, so the ids may look as if nobody had written them. */
export function brokenFiles(reports) {
  return reports
    .flatMap(({ testResults }) => testResults)
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name, message }) => `${name}: ${String(message).split('\n')[0]}`);
}
