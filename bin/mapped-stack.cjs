const { readFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { fileURLToPath } = require('node:url');

/** By the URL of the chunk; `undefined` if there is none. */
const maps = new Map();

/**
 * For `Error.prepareStackTrace`: a stack that names the files and lines of the sources. A map is read at the first stack with a
 * frame of its chunk.
 */
module.exports = function mappedStack(error, frames) {
  return [error, ...frames.map(mappedFrame)].join('\n    at ');
};

function mappedFrame(frame) {
  const [url, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  const { originalSource, originalLine, originalColumn } = mapOf(url)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return frame.toString();
  const place = `${fileURLToPath(new URL(originalSource, url))}:${originalLine + 1}:${originalColumn + 1}`;
  return frame.toString().replace(`${url}:${line}:${column}`, () => place);
}

function mapOf(url) {
  if (!url?.startsWith('file:')) return undefined;
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
