import { expect } from 'chai';
import { Theme } from '../../../web/src/theme/theme.ts';

describe('the theme', () => {
  const saved = new Map<string, string>();
  const storage = {
    getItem: (key: string): string | null => saved.get(key) ?? null,
    setItem: (key: string, value: string): void => void saved.set(key, value),
    removeItem: (key: string): void => void saved.delete(key),
  };

  beforeEach(() => saved.clear());

  it('follows the device at first', () => {
    expect(new Theme(storage).choice.get()).to.equal('system');
  });

  it('is remembered', () => {
    new Theme(storage).choose('dark');

    expect(new Theme(storage).choice.get()).to.equal('dark');
  });

  it('follows the device again', () => {
    new Theme(storage).choose('dark');
    new Theme(storage).choose('system');

    expect(new Theme(storage).choice.get()).to.equal('system');
    expect(saved.size).to.equal(0);
  });

  it('ignores what it does not know', () => {
    new Theme(storage).choose('dark');
    for (const key of saved.keys()) saved.set(key, 'sepia');

    expect(new Theme(storage).choice.get()).to.equal('system');
  });

  it('can be chosen in a browser that stores nothing', () => {
    const theme = new Theme(undefined);
    theme.choose('light');

    expect(theme.choice.get()).to.equal('light');
  });
});
