import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { COMMANDS } from '../../src/infrastructure/commands/commands.ts';
import { FOREIGN_FILES, FOREIGN_NAMES } from './foreign-names.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES =
  /^(README|CONTRIBUTING|SECURITY|(bench|client|demo|deploy|docs|mcp|docs\/adr|test\/(corpus|fuzz|simulation)|web)\/[^/]+)\.md$/;
const NOT_CODE = /^(docs\/|test\/docs\/|test\/corpus\/)|\.(md|png|jpe?g|webp|gif|avif|svg|woff2)$/;

/** Calls that would ask the public registry for a name of the project, which nobody may hold yet. */
const FETCHED =
  /\bnpx (?!--no -- )(?:-\S+ )*@?image-catalog\b|"-y", "@?image-catalog\b|\bnpm (?:i|install|add) (?:-\S+ )*@?image-catalog\b/g;
const PROGRAM = /^(?:bin|build|client|demo|deploy|mcp|src|web)\//;

/** A span that is one identifier, or words in it that have a hump or a low line, and options of commands. */
const NAME =
  /^[a-zA-Z$][\w$]*$|--[a-z][a-z-]+|(?<![\w$.%-])[a-zA-Z$][\w$]*(?:[a-z][A-Z]|[A-Z]{2}[a-z]|[a-zA-Z]_[a-zA-Z0-9])[\w$]*/g;
const WORD = /--[a-z][a-z-]+|[a-zA-Z$][\w$]*/g;
const FILE =
  /(?<![\w/@:.<>*-])[\w@.*-][\w@.*/-]*\.(?:ts|tsx|cjs|mjs|js|sh|sql|md|conf|service|json)(?![\w/-])/g;
const VARIABLE = /(?<![\w$.%])[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9](?!\w)/g;
const SCRIPT = /npm (?:run(?: --?[a-z-]+)* |(?=test))([a-z][a-z0-9:-]*)/g;
const COMMAND = /(?:^|npx --no -- )image-catalog ([a-z][a-z-]+)\b(?! \d)/gm;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .trimEnd()
  .split('\n');
/** A superseded decision names what there was. */
const pages = files
  .filter((file) => PAGES.test(file))
  .map((path) => ({ path, text: read(path) }))
  .filter(({ text }) => !/^Status: .*superseded/m.test(text));
const words = new Set(
  files.filter((file) => !NOT_CODE.test(file)).flatMap((file) => read(file).match(WORD) ?? []),
);

describe('The documentation', () => {
  it('names what the code names', () => {
    expect(unknown(spansIn, NAME, isWord)).to.deep.equal([]);
  });

  it('names files that exist', () => {
    expect(unknown(spansIn, FILE, isFile)).to.deep.equal([]);
  });

  it('shows a route as the code has it', () => {
    const code = read('src/adapters/http/usage/get-usage.ts');

    expect(read('CONTRIBUTING.md')).to.include(code.slice(code.indexOf('export const getUsage')).trim());
  });

  it('starts only what is installed, as the texts of commands do', () => {
    const texts = [
      ...pages,
      ...files
        .filter((path) => PROGRAM.test(path) && !path.endsWith('.png'))
        .map((path) => ({ path, text: read(path) })),
    ];
    const calls = texts.flatMap(({ path, text }) =>
      [...text.matchAll(FETCHED)].map(([call]) => `${path}: ${call}`),
    );

    expect(calls).to.deep.equal([]);
  });

  it('names environment variables that are read', () => {
    expect(unknown(codeIn, VARIABLE, isWord)).to.deep.equal([]);
  });

  it('names scripts and commands that exist', () => {
    const examples = ['next', 'nuxt', 'vite-react'].map((name) => `docs/examples/${name}/`);
    const scripts = [
      '',
      'client/',
      'web/',
      'test/generated-client/',
      'test/lighthouse/',
      ...examples,
    ].flatMap((folder) => {
      const { scripts = {} } = JSON.parse(read(`${folder}package.json`)) as { readonly scripts?: object };
      return Object.keys(scripts);
    });
    const commands = Object.keys(COMMANDS);

    expect(unknown(codeIn, SCRIPT, (name) => scripts.includes(name))).to.deep.equal([]);
    expect(unknown(codeIn, COMMAND, (name) => commands.includes(name))).to.deep.equal([]);
  });
});

/** Each as `page: name`. */
function unknown(
  partsOf: (text: string) => readonly string[],
  pattern: RegExp,
  isKnown: (name: string) => boolean,
): readonly string[] {
  return pages.flatMap(({ path, text }) => {
    const names = partsOf(text).flatMap((part) =>
      [...part.matchAll(pattern)].map(([all, name]) => name ?? all),
    );
    return [...new Set(names)].filter((name) => !isKnown(name)).map((name) => `${path}: ${name}`);
  });
}

/** Code in the text, without blocks. */
function spansIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

function codeIn(text: string): readonly string[] {
  return [...spansIn(text), ...(text.match(/^ *```.*?^ *```$/gms) ?? [])];
}

/** The table of metrics leaves out what their names begin with, and pages may do so. */
function isWord(name: string): boolean {
  const spellings = [name, `image_catalog_${name}`, name.replace(/^image_catalog_/, '')];
  return spellings.some((spelling) => words.has(spelling)) || FOREIGN_NAMES.has(name);
}

function isFile(name: string): boolean {
  const pattern = name
    .replace(/^\.\.?\//, '')
    .replaceAll('.', '\\.')
    .replaceAll(/\*+/g, '.*');
  const isIt = new RegExp(`(^|/)${pattern}$`);
  return FOREIGN_FILES.has(name) || files.some((file) => isIt.test(file));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
