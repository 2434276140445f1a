import { expect } from 'chai';
import { pastedFiles } from '../../../web/src/upload/pasted-files.ts';

const globals = globalThis as { Element?: unknown };

class FakeElement {
  constructor(private readonly isField: boolean) {}

  closest(): this | null {
    return this.isField ? this : null;
  }
}

describe('pasting', () => {
  const picture = new File(['x'], 'image.png', { type: 'image/png' });
  const now = new Date(2026, 4, 3, 14, 3, 22);
  let before: unknown;

  beforeEach(() => {
    before = globals.Element;
    globals.Element = FakeElement;
  });

  afterEach(() => {
    globals.Element = before;
  });

  function paste(isField: boolean, types: readonly string[], files: readonly File[]): readonly string[] {
    const event = { target: new FakeElement(isField), clipboardData: { types, files } };
    return pastedFiles(event as unknown as ClipboardEvent, now).map(({ name }) => name);
  }

  it('uploads the picture of the clipboard, with the time as its name', () => {
    expect(paste(false, ['Files'], [picture])).to.deep.equal(['Pasted 2026-05-03 14.03.22.png']);
    expect(paste(false, ['text/html', 'Files'], [picture])).to.have.length(1);
  });

  it('keeps the names of files', () => {
    expect(paste(false, ['Files'], [new File(['x'], 'cat.jpg')])).to.deep.equal(['cat.jpg']);
  });

  it('in a field leaves texts to it, also those that come with a picture', () => {
    expect(paste(true, ['text/plain'], [])).to.deep.equal([]);
    expect(paste(true, ['text/html', 'Files'], [picture])).to.deep.equal([]);
  });

  it('in a field uploads files, which it cannot take', () => {
    expect(paste(true, ['Files'], [picture])).to.have.length(1);
  });
});
