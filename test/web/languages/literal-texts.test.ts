import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAst } from 'vite';

const SOURCES = join(import.meta.dirname, '../../../web/src');
/** The texts themselves, pages that are in English only, and names of files. */
const ELSEWHERE = /^(languages|app\/german|api-reference)\/|-texts\.ts$|^upload\/is-system-entry\.ts$/;
/** What gives the texts of a room. */
const TEXTS = /^(formats|\w+Texts)$/;
/** Attributes of JSX that a person does not read. */
const UNREAD = new Set([
  'className',
  'optionClassName',
  'style',
  'rel',
  'd',
  'viewBox',
  'accept',
  'href',
  'keys',
]);

interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** @param insideFunction whether it runs after the file is loaded */
type Visit = (node: Node, insideFunction: boolean) => boolean;

describe('the texts of the gallery', () => {
  it('are in files of texts alone', async () => {
    const literal = await collect((node, add) => {
      if (isUnread(node)) return false;
      const text = literalText(node);
      if (text !== undefined && isRead(text, node)) add(text);
      return true;
    });

    expect(literal).to.deep.equal([]);
  });

  it('are read when they are shown: the language may change', async () => {
    const early = await collect((node, add, insideFunction) => {
      if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) return false;
      const called =
        node.type === 'CallExpression' ? (node['callee'] as { readonly name?: string }).name : undefined;
      if (called !== undefined && TEXTS.test(called) && !insideFunction) add(called);
      return true;
    });

    expect(early).to.deep.equal([]);
  });
});

async function collect(
  visit: (node: Node, add: (found: string) => void, insideFunction: boolean) => boolean,
): Promise<readonly string[]> {
  const names = (await readdir(SOURCES, { recursive: true })).filter(
    (name) => /(?<!\.d)\.tsx?$/.test(name) && !ELSEWHERE.test(name),
  );
  const found: string[] = [];
  for (const name of names) {
    const lang = name.endsWith('x') ? 'tsx' : 'ts';
    const program: unknown = parseAst(await readFile(join(SOURCES, name), 'utf8'), { lang });
    walk(program, (node, insideFunction) =>
      visit(node, (text) => found.push(`${name}: ${text}`), insideFunction),
    );
  }
  return found;
}

function walk(value: unknown, visit: Visit, insideFunction = false): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit, insideFunction);
  if (!isNode(value) || !visit(value, insideFunction)) return;
  const inside = insideFunction || /Function|MethodDefinition/.test(value.type);
  for (const inner of Object.values(value)) walk(inner, visit, inside);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Errors are read by developers; imports, names of lazy parts, types and some attributes by machines. */
function isUnread(node: Node): boolean {
  const { type } = node;
  if (type === 'CallExpression') return (node['callee'] as { readonly name?: string }).name === 'lazyPart';
  if (type === 'JSXAttribute') return UNREAD.has((node['name'] as { readonly name: string }).name);
  if (type === 'NewExpression') {
    return (node['callee'] as { readonly name?: string }).name?.endsWith('Error') === true;
  }
  return type === 'ImportDeclaration' || type.startsWith('TS') || type === 'ImportExpression';
}

function literalText({ type, value }: Node): string | undefined {
  if (type === 'JSXText' || (type === 'Literal' && typeof value === 'string')) return value as string;
  if (type === 'TemplateElement') return (value as { readonly cooked: string }).cooked;
  return undefined;
}

/** Keys, names of errors, formats and schemes of HTTP: the same in every language. */
const NAMES =
  /^(Arrow\w+|Page\w+|Home|End|Enter|Escape|Space|Delete|Backspace|Files|\w+Error|SignedOut|LinkMissing|Bearer |JPEG|WebP)$/;

/** Text between tags, and what looks like words of a sentence. */
function isRead(text: string, { type }: Node): boolean {
  if (NAMES.test(text)) return false;
  return type === 'JSXText' ? /\p{L}/u.test(text) : /\p{L}{2,} \p{L}|^\p{Lu}\p{Ll}/u.test(text);
}
