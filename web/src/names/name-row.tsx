import type { ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { IconButton } from '../controls/icon-button.tsx';
import { usePublicState } from '../publishing/use-public-state.ts';
import { useConfig } from '../session/use-config.ts';
import { useRights } from '../session/use-rights.ts';
import { pickPicture } from '../upload/pick-files.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import type { NameActions } from './name-actions.ts';
import { NamePublishing } from './name-publishing.tsx';
import { namesTexts } from './names-texts.ts';

interface NameRowProps {
  readonly name: string;
  /** Of the picture. */
  readonly id: number;
  readonly actions: NameActions;
  readonly onCopy: (link: string) => Promise<void>;
  readonly onShow: (record: ImageRecord) => void;
}

/** A name of the picture, and what can be done with it. */
export function NameRow({ name, id, actions, onCopy, onShow }: NameRowProps): React.JSX.Element {
  const addressBar = useAddressBar();
  const rights = useRights();
  const config = useConfig();
  const state = usePublicState(name);
  /** 0 to 1. */
  const [progress, setProgress] = useState<number>();

  async function copy(): Promise<void> {
    const link = await actions.link(name);
    if (link !== undefined) await onCopy(link);
  }

  async function replace(file: File): Promise<void> {
    setProgress(0);
    const record = await actions.replace(name, file, setProgress);
    setProgress(undefined);
    if (record !== undefined && addressBar.view.get().image === id) onShow(record);
  }

  return (
    <li className="names-row">
      <span className="names-name">{name}</span>
      <IconButton icon="link" label={namesTexts().copy(name)} onClick={() => void copy()} />
      {rights.write && progress === undefined && (
        <>
          {(rights.publish || (state.isKnown && !state.isPublic)) && (
            <IconButton
              icon="upload"
              label={namesTexts().replace(name)}
              onClick={() => pickPicture(config.inputFormats, (file) => void replace(file))}
            />
          )}
          <IconButton
            icon="close"
            label={namesTexts().remove(name)}
            onClick={() => void actions.remove(name)}
          />
        </>
      )}
      {progress !== undefined && (
        <output className="panel-secondary">
          {namesTexts().replacing(name, Math.floor(progress * 100))}
        </output>
      )}
      <NamePublishing name={name} state={state} actions={actions} onCopy={onCopy} />
    </li>
  );
}
