import { expect } from 'chai';
import { ExportNames } from '../../src/application/maintenance/export/export-names.ts';

describe('ExportNames of one image', () => {
  for (const [originalName, expected] of [
    ['cat.png', 'cat.png'],
    ['CAT.PNG', 'CAT.PNG'],
    ['photo', 'photo.png'],
    ['page.html', 'page.html.png'],
    ['a<b>:"|?*c.png', 'a_b______c.png'],
    ['line\u0007feed.png', 'line_feed.png'],
    ['.hidden.png', '_hidden.png'],
    ['trailing. .png', 'trailing.png'],
    ['.png', 'image.png'],
    ['con.png', '_con.png'],
    ['COM1.png', '_COM1.png'],
    ['com1.tar.png', '_com1.tar.png'],
    ['console.png', 'console.png'],
    ['records.ndjson', 'records.ndjson.png'],
    ['Zoe\u0308.png', 'Zo\u00eb.png'],
  ] as const) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(originalName)}`, () => {
      expect(new ExportNames([]).take({ id: 1, originalName, mediaType: 'image/png' })).to.equal(expected);
    });
  }

  it('shortens a long name between characters, and keeps its extension', () => {
    const originalName = `${'😺'.repeat(63)}.jpg`;
    const name = new ExportNames([]).take({ id: 1, originalName, mediaType: 'image/jpeg' });

    expect(name).to.equal(`${'😺'.repeat(50)}.jpg`);
  });
});

describe('ExportNames', () => {
  const image = (id: number, originalName: string) => ({ id, originalName, mediaType: 'image/png' }) as const;

  it('gives each image a name of its own on file systems that ignore case or normal forms', () => {
    const names = new ExportNames([]);
    const given = ['a.png', 'A.png', 'ä.png', 'a\u0308.png', 'straße.png', 'STRASSE.png'].map((name, index) =>
      names.take(image(index + 1, name)),
    );

    expect(given).to.deep.equal([
      'a.png',
      'A (2).png',
      'ä.png',
      'ä (4).png',
      'straße.png',
      'STRASSE (6).png',
    ]);
  });

  it('avoids names that are taken, also those that it would make', () => {
    const names = new ExportNames(['CAT.png', 'cat (7).png']);

    expect(names.take(image(7, 'cat.png'))).to.equal('cat (7-1).png');
  });

  it('gives another name when it is asked again', () => {
    const names = new ExportNames([]);

    expect([names.take(image(7, 'cat.png')), names.take(image(7, 'cat.png'))]).to.deep.equal([
      'cat.png',
      'cat (7).png',
    ]);
  });
});
