// The tests that judge mutants: those of one package without sockets, child processes and built output, which would not see the mutants or take long.
import { defineConfig } from 'vitest/config';

const conditions = ['@x/source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [`packages/${process.env.MUTATED_PACKAGE}/test/**/*.test.ts`],
    exclude: ['**/test/node/**', '**/alloc*.test.ts', '**/session.test.ts', '**/readme.test.ts', '**/aead.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
  },
});
