import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** One input a line, in base64. Lines with `#` are comments. */
export function readInputs(kind: 'corpus' | 'found', target: string): readonly Uint8Array[] {
  const file = fileOf(kind, target);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(fromBase64);
}

export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  writeFileSync(fileOf('corpus', target), inputs.map((input) => `${toBase64(input)}\n`).join(''));
}

export function fromBase64(text: string): Uint8Array {
  // Not a part of the pool of buffers: readers take the memory behind an input, too.
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

export function toBase64(input: Uint8Array): string {
  return Buffer.from(input).toString('base64');
}

function fileOf(kind: string, target: string): URL {
  return new URL(`${kind}/${target}.txt`, import.meta.url);
}
