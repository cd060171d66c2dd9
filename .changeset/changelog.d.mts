declare const changelog: {
  getReleaseLine(changeset: { readonly id: string; readonly summary: string }): string;
  getDependencyReleaseLine(
    changesets: readonly unknown[],
    dependencies: readonly { readonly name: string; readonly newVersion: string }[],
  ): string;
};
export default changelog;
