import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

export interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

export interface Job {
  readonly 'runs-on': string;
  readonly needs?: string;
  readonly environment?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<'release' | 'publish', Job>>;
}

export const PUBLISH_WORKFLOW = '.github/workflows/publish.yml';

export function readProjectFile(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** @throws {Error} if the file is no YAML, or repeats a key */
export function readPublishWorkflow(): Workflow {
  const document = parseDocument(readProjectFile(PUBLISH_WORKFLOW), { strict: true, uniqueKeys: true });
  if (document.errors.length > 0) throw new Error(String(document.errors[0]));
  return document.toJS() as Workflow;
}
