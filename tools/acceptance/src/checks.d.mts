export interface Check {
  readonly id: string;
  readonly title: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly detail?: string;
  readonly tests: number;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly failureMessages?: readonly string[] }[];
  }[];
}

export function checksOf(titles: Readonly<Record<string, string | undefined>>, reports: readonly Report[]): Check[];
export function brokenFiles(reports: readonly Report[]): string[];
