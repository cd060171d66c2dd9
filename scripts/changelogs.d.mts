export function groupOf(change: {
  readonly bump: "major" | "minor" | "patch";
  readonly text: string;
}): "Added" | "Changed" | "Fixed";
export function lineOf(text: string): string;
export function groupNewest(changelog: string, curated?: string): string;
