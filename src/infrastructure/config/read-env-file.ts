import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import {
  explainSystemError,
  isSystemError,
} from '../../adapters/filesystem/translating-file-system-errors.ts';
import { InvalidConfig } from './invalid-config.ts';
import type { Environment } from './variable-table.ts';

/**
 * The variables of a file, which may be in UTF-8 or, with a byte order mark, in UTF-16, as editors of Windows write it. None if the
 * file does not exist.
 *
 * @throws {InvalidConfig} if the file cannot be read as a whole
 */
export function readEnvFile(path: string): Environment {
  const bytes = readBytes(path);
  if (bytes === undefined) return {};
  const text = decode(bytes).replace(/\r\n?/g, '\n');
  const problem = problemIn(`${text}${LAST_LINE}`);
  if (problem !== undefined) throw new InvalidConfig([`${path} ${problem}`]);
  return { ...parseEnv(text) };
}

const IS_FOLDER =
  'is a folder: Docker makes one where a volume names a file that does not exist. Remove the folder, and write the file';

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'EISDIR') throw new InvalidConfig([`${path} ${IS_FOLDER}`]);
    throw new InvalidConfig([explainSystemError(error)]);
  }
}

/** Removes the byte order mark. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

/** If the line before it has no equals sign, Node.js takes both for one name. */
const LAST_LINE = '\nLAST_LINE=';

const SAVE_AS_UTF8 = 'save it as UTF-8';

/** What Node.js would read in another way than people do, without an error. Secrets are not repeated. */
function problemIn(text: string): string | undefined {
  const entries = Object.entries<string | undefined>(parseEnv(text));
  if (entries.some(([name, value = '']) => `${name}${value}`.includes('\0'))) {
    return `is neither UTF-8 nor UTF-16 with a byte order mark: ${SAVE_AS_UTF8}`;
  }
  // Node.js takes a line without an equals sign for the beginning of the next name, and that variable would be lost.
  const [lost] = entries.find(([name]) => name.includes('\n')) ?? [];
  if (lost !== undefined) {
    const line = text.slice(0, text.indexOf(lost)).split('\n').length;
    return `has a line that is not NAME=value, line ${line}: correct it, or put # in front of it`;
  }
  const [broken] = entries.find(([, value = '']) => value.includes('\ufffd')) ?? [];
  return broken && `has characters in ${broken} that are not UTF-8: ${SAVE_AS_UTF8}`;
}
