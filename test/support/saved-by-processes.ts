import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** A value of each process of a run of the tests, for the process that reads them at its end, or for a later one. */
export class SavedByProcesses<T> {
  /** With a slash at the end. */
  readonly folder: string;

  constructor(name: string) {
    this.folder = `${CACHE}${name}/`;
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
  }

  /** Replaces that of this process. */
  save(value: T): void {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(`${this.folder}${process.pid}.json`, JSON.stringify(value));
  }

  all(): readonly T[] {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(this.folder + name, 'utf8')) as T);
  }
}
