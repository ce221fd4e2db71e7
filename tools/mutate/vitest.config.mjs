// The tests that judge the mutants of one package.
import { defineConfig } from 'vitest/config';
import { plans } from './src/plans.mjs';

const conditions = ['@x/source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: plans[process.env.MUTATED_PACKAGE].tests, testTimeout: 60_000 },
});
