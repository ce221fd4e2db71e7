import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const conditions = ['@x/source', 'module', 'node', 'development|production'];

/** Workspace members that have a test folder, as folders relative to this file. */
function members(): string[] {
  return ['packages', 'apps', 'tools']
    .filter((group) => existsSync(new URL(group, import.meta.url)))
    .flatMap((group) => readdirSync(new URL(group, import.meta.url)).map((name) => `${group}/${name}`))
    .filter(
      (folder) => existsSync(new URL(`${folder}/test`, import.meta.url)) && existsSync(new URL(`${folder}/package.json`, import.meta.url)),
    );
}

function nameOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8')) as { name: string };
  return manifest.name;
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: members().map((root) => ({
      extends: true as const,
      root,
      test: { name: nameOf(root), include: ['test/**/*.test.ts'] },
    })),
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text', 'json-summary'],
      thresholds: { lines: 90 },
    },
  },
});
