import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** `import … from`, `export … from`, `import '…'` and `import('…')`, types included. */
const IMPORTS =
  /^(?:import|export)\s(?:[^;'"]*?\sfrom\s+)?'(?<name>\.[^']+)'|\bimport\('(?<dynamic>\.[^']+)'\)/gm;
const VALUES = /^export (?:abstract |async )*(?:function\*?|class|const|let) +([\w$]+)/gm;
const TYPES = /^export (?:type|interface) +([\w$]+)/gm;

export interface SourceFile {
  readonly path: string;
  /** Neither blank nor of comments. */
  readonly codeLines: number;
  /** Paths of files of the project. */
  readonly imports: readonly string[];
  readonly exportedValues: readonly string[];
  readonly exportedTypes: readonly string[];
}

/** All files of TypeScript in a folder, read by regular expressions: the formatter keeps the code in the shape that they expect. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourceFiles(path);
    return /\.tsx?$/.test(path) ? [parseSource(path, readFileSync(path, 'utf8'))] : [];
  });
}

export function parseSource(path: string, text: string): SourceFile {
  return {
    path,
    codeLines: text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length,
    imports: [...text.matchAll(IMPORTS)].map(({ groups }) =>
      resolve(dirname(path), groups?.['name'] ?? groups?.['dynamic'] ?? ''),
    ),
    exportedValues: namesIn(text, VALUES),
    exportedTypes: namesIn(text, TYPES),
  };
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '');
}
