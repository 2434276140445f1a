import { useEffect, useRef } from 'react';
import { useStore } from '../base/use-store.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { useRights } from '../session/use-rights.ts';
import { modKey } from '../shortcuts/mod-key.ts';
import { shortcutsTexts } from '../shortcuts/shortcuts-texts.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import './shortcuts.css';

export function ShortcutsList({ onClose }: { readonly onClose: () => void }): React.JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const rights = useRights();
  const { title, close, sections } = shortcutsTexts();
  return (
    <dialog
      ref={dialog}
      className="shortcuts floating"
      aria-labelledby="shortcuts-title"
      closedby="any"
      onClose={onClose}
    >
      <header className="shortcuts-header">
        <h2 id="shortcuts-title" className="shortcuts-title">
          {title}
        </h2>
        <IconButton icon="close" aria-label={close} onClick={() => dialog.current?.close()} />
      </header>
      <CharacterKeys />
      <div className="shortcuts-sections">
        {sections.map((section) => (
          <section key={section.title}>
            <h3 className="shortcuts-section">{section.title}</h3>
            <dl className="shortcuts-keys">
              {section.keys
                .filter(([, , needs]) => needs === undefined || rights[needs])
                .map(([keys, effect]) => (
                  <div key={effect} className="shortcuts-row">
                    <dt>{effect}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key.replace('mod+', modKey())}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}

function CharacterKeys(): React.JSX.Element {
  const shortcuts = useShortcuts();
  const characters = useStore(shortcuts.characters.value);
  return (
    <label className="form-choice shortcuts-characters">
      <input
        type="checkbox"
        checked={characters === 'on'}
        onChange={({ target }) => shortcuts.characters.choose(target.checked ? 'on' : 'off')}
      />
      {shortcutsTexts().characters}
    </label>
  );
}
