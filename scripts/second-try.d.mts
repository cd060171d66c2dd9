interface Assertion {
  readonly status: string;
  readonly fullName: string;
}
interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly Assertion[];
}
interface Report {
  readonly testResults: readonly FileResult[];
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}
interface Run {
  readonly path: string;
  readonly report: Report;
}
export function failedFiles(runs: readonly Run[]): (Run & { readonly file: FileResult })[];
export function withSecondRun(report: Report, second: FileResult): Report;
export function unsteadyLines(file: FileResult): string[];
