import { writeFile } from 'node:fs/promises';
import { libraryVersions } from '../../../src/infrastructure/library-versions.ts';

/** The title of a process that has given all of its replies. */
export const REPLIED = 'replied';

/** Writes a program that starts as a decoder does, answers with these messages, and takes no input but the heads of requests. */
export async function writeLyingDecoder(path: string, messages: readonly unknown[]): Promise<void> {
  await writeFile(
    path,
    `
const { readSync, writeSync } = require('node:fs');
function take(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = readSync(0, bytes, at, length - at, null);
    if (read === 0) process.exit();
    at += read;
  }
  return bytes;
}
function reply(message) {
  const json = Buffer.from(JSON.stringify(message));
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(json.length, 0);
  writeSync(1, Buffer.concat([prefix, json]));
}
reply({ kind: 'warm', versions: ${JSON.stringify(libraryVersions())} });
for (const message of [{ kind: 'confined' }, ...${JSON.stringify(messages)}]) {
  take(take(8).readUInt32BE(0));
  reply(message);
}
process.title = ${JSON.stringify(REPLIED)};
setInterval(() => {}, 1_000);
`,
  );
}
