const SHARP_FAILED = /Could not load the "sharp" module using the (\S+) runtime/;

/** What a decoder prints without a binary of sharp is a stack and advice for developers: this is a sentence in its place. */
export function missingImageLibrary(words: string): string | undefined {
  const [, platform] = SHARP_FAILED.exec(words) ?? [];
  if (platform === undefined) return undefined;
  return `sharp, the image library, has no binary that fits this machine (${platform}), because optional packages were left out or node_modules is from another machine: remove node_modules, and install again with npm install --include=optional`;
}
