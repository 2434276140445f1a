import { expect } from 'chai';
import { type DeviceStorage, Setting } from '../../../web/src/base/setting.ts';
import { storageOf } from '../doubles/storage.ts';

describe('a setting of the device', () => {
  const saved = new Map<string, string>();
  const storage = storageOf(saved);
  const open = (on: DeviceStorage | undefined = storage) =>
    new Setting('theme', ['system', 'light', 'dark'], on);

  beforeEach(() => saved.clear());

  it('is the usual one at first', () => {
    expect(open().value.get()).to.equal('system');
  });

  it('is remembered, unless it is the usual one', () => {
    open().choose('dark');
    expect(open().value.get()).to.equal('dark');

    open().choose('system');
    expect([open().value.get(), saved.size]).to.deep.equal(['system', 0]);
  });

  it('is the usual one if something else was saved', () => {
    saved.set('image-catalog.theme', 'sepia');

    expect(open().value.get()).to.equal('system');
  });

  it('can be chosen while the storage is full', () => {
    const full = (): void => {
      throw new DOMException('', 'QuotaExceededError');
    };
    const theme = open({ ...storage, setItem: full });
    theme.choose('dark');

    expect(theme.value.get()).to.equal('dark');
  });

  it('can be chosen in a browser that stores nothing', () => {
    const theme = new Setting('theme', ['system', 'light'], undefined);
    theme.choose('light');

    expect(theme.value.get()).to.equal('light');
  });
});
